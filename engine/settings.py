"""The settings of the engine that last longer than a call: kept for whoever lets a program run in between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine import dtypes, hooks, printing, random
from engine.composites import attention
from engine.errors.warnings import _given
from engine.nn import calling
from engine.nn.utils import parametrize
from engine.optim import optimizer
from engine.state import sequence, state
from engine.torch import hardware

_VARIABLES: tuple[tuple[Any, str], ...] = (
    *((state, name) for name in type(state).__slots__),
    (sequence, "next"),
    (hooks, "_ids"),
    (random, "_entropy"),
    (parametrize, "_cache_depth"),
)
_CONTAINERS: tuple[Any, ...] = (
    vars(printing.options),
    hardware._settings,
    _given,
    parametrize._cache,
    *optimizer._hooks_of_all.values(),
    *(getattr(calling, name) for name in ("_forward_pre", "_forward", "_backward_pre", "_backward")),
    calling._with_kwargs,
    calling._always_called,
)


@contextmanager
def kept() -> Iterator[None]:
    """What was set before is set again afterwards: grad mode, default dtype, print options, generator, hooks of all."""
    variables = [(owner, name, getattr(owner, name)) for owner, name in _VARIABLES]
    containers = [(container, container.copy()) for container in _CONTAINERS]
    default, kernels = dtypes.get_default(), attention.allowed()
    generator = random.default_generator
    numbers = vars(generator).copy()
    words = None if generator._untouched else generator._bits.state
    try:
        yield
    finally:
        for owner, name, value in variables:
            setattr(owner, name, value)
        for container, contents in containers:
            container.clear()
            container.update(contents)
        dtypes.set_default(default)
        attention.allow(kernels)
        generator.manual_seed(numbers["_seed"])
        vars(generator).update(numbers)
        if words is not None:
            generator._bits.state = words
