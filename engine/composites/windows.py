"""Windows of signal processing: `torch.hann_window` and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.composites.arithmetic import UNSET
from engine.composites.creation import Options, asked, finished
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import integer

Shape = Callable[..., Any]


def _cosines(*weights: float) -> Shape:
    """A sum of cosines: `weights[k] * cos(2 pi k x)`, signs alternating."""

    def window(x: Any, kind: Any) -> Any:
        return sum((-1) ** k * w * np.cos(2 * np.pi * k * x) for k, w in enumerate(weights))

    return window


def _blackman(x: Any, kind: Any) -> Any:
    """In the window's own type and in this order, for the ends, which cancel to what rounding leaves."""
    angle = (x * np.pi).astype(kind)
    wide, narrow, middle = kind.type(0.08), kind.type(0.5), kind.type(0.42)
    return np.cos(4 * angle) * wide - np.cos(2 * angle) * narrow + middle


def _made(window: Shape, length: Any, periodic: bool, options: Options, name: str) -> Tensor:
    count = integer(length)
    kind = asked(options, name)
    if kind.kind not in dtypes.INEXACT:
        raise errors.window_dtype(name, dtypes.of(kind).cpp_name)
    if count < 0:
        raise errors.window_length(name, count)
    if kind.kind == "c" and count > 1:
        raise errors.not_implemented_for("arange_cpu", dtypes.of(kind).type_name)
    meter.allocate(count, kind.itemsize)
    meter.charge(count >> 6)
    if count == 1:
        return finished(np.ones(1, kind), **options)
    steps = count if periodic else count - 1
    values = window(np.arange(count) / max(steps, 1), kind)
    return finished(np.asarray(values, kind), **options)


def _check_flag(name: str, length: Any, periodic: Any, **factors: Any) -> None:
    """Raise as PyTorch's parser does, to which each factor comes with all arguments before it."""
    given = {"periodic": periodic, **factors}
    known = [value is not UNSET for value in given.values()]
    if known != sorted(known, reverse=True) or periodic is not UNSET and not isinstance(periodic, bool | np.bool_):
        check("torch", name, (length,), {key: value for key, value in given.items() if value is not UNSET})


def _publish(name: str, window: Shape) -> None:
    @public("torch", name, doc="Weights that rise from the ends of a window to its middle.")
    def factory(window_length: int, periodic: bool = True, **options: Unpack[Options]) -> Tensor:
        _check_flag(name, window_length, periodic)
        return _made(window, window_length, periodic, options, name)


_publish("hann_window", _cosines(0.5, 0.5))
_publish("blackman_window", _blackman)
_publish("bartlett_window", lambda x, kind: 1 - np.abs(2 * x - 1))


@public("torch")
def hamming_window(
    window_length: int,
    periodic: bool = UNSET,
    alpha: float = UNSET,
    beta: float = UNSET,
    **options: Unpack[Options],
) -> Tensor:
    """`alpha - beta * cos(2 pi x)`."""
    _check_flag("hamming_window", window_length, periodic, alpha=alpha, beta=beta)
    periodic, alpha = periodic is UNSET or periodic, 0.54 if alpha is UNSET else alpha
    beta = 0.46 if beta is UNSET else beta
    return _made(_cosines(alpha, beta), window_length, periodic, options, "hamming_window")


@public("torch")
def kaiser_window(
    window_length: int, periodic: bool = UNSET, beta: float = UNSET, **options: Unpack[Options]
) -> Tensor:
    """The window of Kaiser: `I0(beta * sqrt(1 - (2x - 1)**2)) / I0(beta)`."""
    _check_flag("kaiser_window", window_length, periodic, beta=beta)
    periodic, beta = periodic is UNSET or periodic, 12.0 if beta is UNSET else beta

    def window(x: Any, kind: Any) -> Any:
        return np.i0(beta * np.sqrt(np.maximum(1 - (2 * x - 1) ** 2, 0))) / np.i0(beta)

    return _made(window, window_length, periodic, options, "kaiser_window")
