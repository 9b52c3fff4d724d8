"""Python's numbers as factors of half and bfloat16.

PyTorch's kernels keep them in float32; numpy would round them first to half, and make float32 of bfloat16.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.types.bfloat16 import SHORT


class Factor(float):
    """A number that multiplies and divides 16 bits in float32, rounded once, and is a float to everything else."""

    __slots__ = ()
    __array_priority__ = 1000.0  # arrays leave their operators to it


def _in_single(compute: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    own = getattr(a, "dtype", None)
    if own is None or own.char not in SHORT:
        return _kept(compute(a, float(b)))
    with np.errstate(over="ignore"):
        return compute(a.astype(np.float32), np.float32(b)).astype(own)


def _reflected(compute: Callable[[Any, Any], Any], exact: bool) -> Callable[[Factor, Any], Any]:
    """What `a ∘ factor` gives; `exact`: in float32."""
    if exact:
        return lambda self, a: _in_single(compute, a, self)
    return lambda self, a: _kept(compute(a, float(self)))


def _kept(found: Any) -> Any:
    """What a formula made of a number, `1 - weight`, is one that a gradient is multiplied by, too."""
    return Factor(found) if type(found) is float else found


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(Factor, f"__r{_name}__", _reflected(getattr(operator, _name), _name in ("mul", "truediv")))
for _name, _turned in (("lt", "gt"), ("gt", "lt"), ("le", "ge"), ("ge", "le"), ("eq", "eq"), ("ne", "ne")):
    setattr(Factor, f"__{_turned}__", _reflected(getattr(operator, _name), False))
Factor.__mul__ = Factor.__rmul__  # type: ignore[method-assign]
Factor.__hash__ = float.__hash__  # type: ignore[method-assign]


def factor(number: Any) -> Any:
    """A Python number as a factor of 16 bits; anything else as it is."""
    return Factor(number) if type(number) in (float, int) else number
