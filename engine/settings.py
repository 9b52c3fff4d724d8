"""What a user of `engine.torch` has set in this process, put aside while `engine.run` has a program for itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.composites import attention
from engine.core import hooks
from engine.core.state import State, sequence, state
from engine.errors.warnings import _given
from engine.kernels import random
from engine.nn import calling
from engine.nn.utils import parametrize
from engine.optim import optimizer
from engine.torch.distributions import _kept as _kept_of_distributions
from engine.torch.distributions import reset as reset_distributions
from engine.torch.distributions.distribution import Distribution
from engine.torch.hardware import _settings as _settings_of_hardware
from engine.torch.library import DEFINED
from engine.torch.trees import REGISTERED
from engine.types import dtypes, printing

_NAMES: tuple[tuple[Any, str], ...] = (
    (dtypes, "_default"), (hooks, "_ids"), (attention, "_allowed"), (parametrize, "_cache_depth"),
    (random, "_entropy"), (sequence, "next"), (Distribution, "_validate_args"),
)  # fmt: skip
"""Settings that are names bound to another value."""

_CONTENTS: tuple[Any, ...] = (
    *(calling._forward_pre, calling._forward, calling._backward_pre, calling._backward),
    *calling._registration.values(),
    *(calling._with_kwargs, calling._always_called, *optimizer._hooks_of_all.values()),
    *(parametrize._cache, _settings_of_hardware, REGISTERED, DEFINED, _given, vars(printing.options)),
    *(contents for contents, _ in _kept_of_distributions),
)
"""Settings that are dicts and sets of which the contents change."""

_OF_PROGRAMS = vars(random.Generator())
"""Another state of the generator, for programs: copying the caller's there and back costs more than a small run."""


@contextmanager
def aside() -> Iterator[None]:
    """Leave everything afterwards as it was found."""
    names = [(owner, name, getattr(owner, name)) for owner, name in _NAMES]
    contents = [(held, held.copy() if type(held) in (dict, set) else dict(held)) for held in _CONTENTS]
    fields = [(name, getattr(state, name)) for name in State.__slots__]
    generator = random.default_generator
    drawn = generator.__dict__
    generator.__dict__ = _OF_PROGRAMS
    reset_distributions()
    try:
        yield
    finally:
        reset_distributions()
        for owner, name, value in (*names, *((state, *field) for field in fields)):
            setattr(owner, name, value)
        for held, before in contents:
            held.clear()
            held.update(before)
        dtypes._targets.clear()
        generator.__dict__ = drawn
