"""Recorded cases as readable JSON: numbers as lists, everything Python has and JSON has not as a tagged object."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.types.bfloat16 import BFLOAT16

DIGITS = 9
"""Significant digits of recorded results."""


def encode_array(array: np.ndarray, digits: int | None = None) -> Any:
    """Nested lists, of pairs and tagged where numbers are complex; results are cut to `digits` significant digits."""
    if array.dtype.kind == "c" and array.size:
        parts = np.stack([array.real, array.imag], axis=-1)
        return {"complex": _numbers(parts.tolist(), digits)}
    return _numbers(array.tolist(), digits)


def _numbers(value: Any, digits: int | None) -> Any:
    if isinstance(value, list):
        return [_numbers(v, digits) for v in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return {"float": repr(value)}
        if digits is not None:
            value = float(f"{value:.{digits}g}")
        return int(value) if value.is_integer() and abs(value) < 1e15 else value
    return value


def decode_array(value: Any, dtype: str, shape: list[int] | None = None) -> np.ndarray:
    stored = BFLOAT16 if dtype == "bfloat16" else np.dtype(dtype)
    array = np.array(_plain(value), dtype=None if isinstance(value, dict) else stored)
    array = array.astype(stored, copy=False)
    return array.reshape(shape) if shape is not None else array


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(v) for v in value]
    if isinstance(value, dict):
        return float(value["float"]) if "float" in value else _whole(_plain(value["complex"]))
    return value


def _whole(parts: list[Any]) -> Any:
    """A complex number, or an array of them, from pairs of parts."""
    whole = np.array(parts, np.float64).view(np.complex128)[..., 0]
    return whole if whole.ndim else whole.item()


def with_strides(array: np.ndarray, strides: list[int]) -> np.ndarray:
    """The same values in memory laid out with these strides (in elements)."""
    size = 1 + sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True)) if array.size else 0
    memory = np.zeros(size, array.dtype)
    view = np.ndarray(array.shape, array.dtype, memory, 0, [s * array.itemsize for s in strides])
    view[...] = array
    return view


def decode(
    value: Any, tensor: Callable[[np.ndarray, bool], Any], name: Callable[[str], Any], usual: str = "float64"
) -> Any:
    """An argument: `tensor(array, requires_grad)` makes tensors, `name("float64")` finds names of the namespace."""
    if isinstance(value, list):
        return [decode(v, tensor, name, usual) for v in value]
    if not isinstance(value, dict):
        return value
    if "tensor" in value:
        array = decode_array(value["tensor"], value.get("dtype", usual), value.get("shape"))
        if "strides" in value:
            array = with_strides(array, value["strides"])
        return tensor(array, value.get("grad", False))
    if "tuple" in value:
        return tuple(decode(v, tensor, name, usual) for v in value["tuple"])
    if "slice" in value:
        return slice(*(decode(v, tensor, name, usual) for v in value["slice"]))
    if "torch" in value:
        return name(value["torch"])
    if "float" in value or "complex" in value:
        return _plain(value)
    if "ellipsis" in value:
        return ...
    return {k: decode(v, tensor, name, usual) for k, v in value["dict"].items()}


def cotangent(shape: tuple[int, ...], dtype: Any, number: int) -> np.ndarray:
    """The gradient every recorded output is given: fixed, irregular, and not stored."""
    size = int(np.prod(shape, dtype=np.int64))
    waves = np.round(np.cos(np.arange(size) * 1.37 + 0.5 + number), 2)
    if np.dtype(dtype).kind == "c":
        waves = waves + 1j * np.round(np.sin(np.arange(size) * 0.71 + number), 2)
    return waves.astype(dtype).reshape(shape)
