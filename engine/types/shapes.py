"""Arithmetic on dimensions, sizes and strides that the ops share. Everything here works on plain ints and tuples."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine import errors

Shape = tuple[int, ...]
Ints = tuple[int, ...]


def wrap_dim(dim: Any, ndim: int) -> int:
    """`dim` counted from the front; a 0-d tensor counts as having one. Raises IndexError when there is no such one."""
    if dim.__class__ is not int:
        dim = integer(dim)
    if ndim <= 0:
        ndim = 1
    if -ndim <= dim < ndim:
        return int(dim + ndim if dim < 0 else dim)
    raise errors.dim_out_of_range(dim, ndim)


def wrap_dims(dims: Iterable[Any], ndim: int) -> Shape:
    """As `wrap_dim` for several; RuntimeError when two of them are the same."""
    wrapped = tuple([wrap_dim(dim, ndim) for dim in dims])
    if len(set(wrapped)) != len(wrapped):
        raise errors.repeated_dim(next(d for i, d in enumerate(wrapped) if d in wrapped[:i]))
    return wrapped


def is_index(value: Any) -> bool:
    """Whether a value can stand for an integer: not a class that has `__index__` for its instances, nor an array."""
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return hasattr(value, "__index__") and not isinstance(value, type)


def integer(value: Any) -> int:
    """A Python int for what PyTorch takes as one: ints, and 0-d integer tensors. TypeError otherwise."""
    if is_index(value) and not isinstance(value, bool):
        return int(value.__index__())
    if isinstance(value, bool):
        return int(value)
    raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


def whole(function: str, argument: str, position: int, value: Any) -> int:
    """A Python int for an argument that PyTorch's parser takes as one. TypeError otherwise, in its words."""
    if type(value) is int:
        return value
    kind = getattr(getattr(getattr(value, "_array", None), "dtype", None), "kind", "i")
    if isinstance(value, bool) or not is_index(value) or kind not in "iu":
        raise errors.argument_type(function, argument, position, "int", value)
    return int(value.__index__())


def sizes(values: tuple[Any, ...]) -> Shape:
    """The ints of `f(2, 3)` and of `f((2, 3))`."""
    if len(values) == 1 and isinstance(values[0], tuple | list):
        values = tuple(values[0])
    for value in values:
        if value.__class__ is not int:
            return tuple([integer(v) for v in values])
    return values


def dims(value: Any) -> Shape:
    """The ints of `dim=1` and of `dim=(1, 2)`."""
    if isinstance(value, tuple | list):
        return tuple([integer(v) for v in value])
    return (integer(value),)


@lru_cache(maxsize=4096)
def infer_size(size: Shape, numel: int) -> Shape:
    """`size` with its -1 filled in for `numel` elements; RuntimeError when it does not fit."""
    product, inferred = 1, -1
    for index, extent in enumerate(size):
        if extent < 0:
            if extent != -1:
                raise errors.invalid_extent(extent, index, size)
            if inferred >= 0:
                raise errors.two_inferred()
            inferred = index
        else:
            product *= extent
    if inferred < 0:
        if product != numel:
            raise errors.invalid_shape(size, numel)
        return tuple(size)
    if not product:
        if numel:
            raise errors.invalid_shape(size, numel)
        raise errors.ambiguous_shape(size)
    if numel % product:
        raise errors.invalid_shape(size, numel)
    return (*size[:inferred], numel // product, *size[inferred + 1 :])


def expanded(shape: Shape, size: Sequence[int], tensor_type: str = "torch.FloatTensor") -> Shape:
    """The sizes that `expand(size)` gives a tensor of `shape`: -1 keeps an extent."""
    extra = len(size) - len(shape)
    if extra < 0:
        raise errors.expand_too_few(tensor_type, shape, size)
    target = list(size)
    for index in range(len(size) - 1, -1, -1):
        extent = size[index]
        if index < extra:
            if extent < 0:
                raise errors.expand_leading(extent, index) if extent == -1 and shape else errors.numel_overflow()
            continue
        own = shape[index - extra]
        if extent == -1:
            target[index] = own
        elif own != extent and (own != 1 or extent < 0):
            raise errors.expand_mismatch(extent, own, index, size, shape)
    return tuple(target)


def broadcast(*shapes: Shape) -> Shape:
    """The shape that all of `shapes` expand to; RuntimeError naming the first pair of sizes that do not match."""
    result: Shape = ()
    for shape in shapes:
        result = broadcast_pair(result, shape) if result else shape
    return result


def broadcast_pair(a: Shape, b: Shape) -> Shape:
    """The shape that both expand to."""
    if a == b:
        return a
    ndim = max(len(a), len(b))
    out = [1] * ndim
    for offset in range(1, ndim + 1):
        x = a[-offset] if offset <= len(a) else 1
        y = b[-offset] if offset <= len(b) else 1
        if x != y and x != 1 and y != 1:
            raise errors.size_mismatch(x, y, ndim - offset)
        out[-offset] = y if x == 1 else x
    return tuple(out)


def expandable(shape: Shape, target: Shape) -> bool:
    """Whether a tensor of `shape` broadcasts to `target`."""
    extra = len(target) - len(shape)
    return extra >= 0 and all(s in (1, t) for s, t in zip(shape, target[extra:], strict=True))


def contiguous_strides(shape: Sequence[int], itemsize: int = 1) -> Shape:
    """Strides of a tensor in C order, as PyTorch counts them: an extent of 0 counts as 1."""
    strides = []
    step = itemsize
    for extent in reversed(shape):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(reversed(strides))


def root(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array that owns the memory of `array`, as one C-contiguous block."""
    owner: Any = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if not owner.flags.c_contiguous:
        order = sorted(range(owner.ndim), key=lambda i: -owner.strides[i])
        owner = owner.transpose(order)
    return owner  # type: ignore[no-any-return]


def address(array: np.ndarray[Any, Any]) -> int:
    """Address of the first element."""
    return int(array.__array_interface__["data"][0])


def restride(
    array: np.ndarray[Any, Any], shape: Sequence[int], strides: Sequence[int], offset: int = 0
) -> np.ndarray[Any, Any]:
    """A view of the memory of `array` with other sizes and strides (bytes), `offset` bytes after its first element."""
    if array.flags.c_contiguous:
        return np.ndarray(shape, array.dtype, array, offset, strides)
    block = root(array)
    start = address(array) - address(block) + offset
    if 0 in shape:  # which may begin anywhere
        start = min(start, block.nbytes)
    return np.ndarray(shape, array.dtype, block, start, strides)


def reach(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, int]:
    """Extent of the elements in memory before and after the one that is indexed by zeros."""
    spans = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    return -sum([s for s in spans if s < 0]), sum([s for s in spans if s > 0])


def empty_laid_out(shape: Shape, strides: Shape, dtype: Any) -> np.ndarray[Any, Any]:
    """An array in new memory with the given strides (bytes), kept also where there is nothing in it."""
    if not all(shape):
        return np.ndarray(shape, dtype, np.empty(1, dtype), 0, strides)
    before, after = reach(shape, strides)
    memory = np.empty((before + after) // dtype.itemsize + 1, dtype)
    return np.ndarray(shape, dtype, memory, before, strides)


def numel(shape: Sequence[int]) -> int:
    return math.prod(shape)


def is_dense(a: Any) -> bool:
    """Whether the elements fill a block of memory, each once."""
    expected = a.itemsize
    for stride, extent in sorted(zip(a.strides, a.shape, strict=True)):
        if extent == 1:
            continue
        if stride != expected:
            return False
        expected *= extent
    return bool(a.size)
