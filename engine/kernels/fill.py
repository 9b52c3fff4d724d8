"""What overwrites all of a tensor: a number, another tensor, random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels import random
from engine.kernels.memory_format import in_memory_order
from engine.kernels.names import kernel
from engine.types.coo import Coo, empty
from engine.types.dtypes import cast_number
from engine.types.shapes import broadcast, expandable


@kernel
def fill_kernel(a: Any, value: Any) -> Any:
    if type(a) is Coo:
        return empty(a.shape, a.dtype, a.sparse_dim)
    if np.ndim(value):
        raise errors.fill_dimensions(np.ndim(value))
    given = isinstance(value, np.generic | np.ndarray)
    value = value.astype(a.dtype) if given else cast_number(value, a.dtype, scalar=True)
    return np.full(a.shape, value, a.dtype) if a.ndim else value[()]


@kernel
def copy_kernel(a: Any, src: Any) -> Any:
    if src.shape != a.shape:
        if not expandable(src.shape, a.shape):
            raise errors.copy_shape(a.shape, broadcast(a.shape, src.shape))
        src = np.broadcast_to(src, a.shape)
    if src.dtype.kind == "c" and a.dtype.kind != "c":
        if a.dtype.kind != "b":
            errors.warn_complex_discarded()
        src = src.real
    return src.astype(a.dtype, copy=False)


@kernel
def drawn(a: Any, generator: Any, distribution: str, *parameters: float) -> Any:
    draw = getattr(generator or random.default_generator, distribution)
    options = {"contiguous": False} if distribution == "normal" and not a.flags.c_contiguous else {}
    return in_memory_order(a, lambda shape: draw(shape, *parameters, a.dtype, **options))


@kernel
def bernoulli_kernel(a: Any, p: Any, generator: Any = None) -> Any:
    source = generator or random.default_generator
    return in_memory_order(a, source.bernoulli, np.broadcast_to(p, a.shape)).astype(a.dtype)


@kernel
def bernoulli_of_kernel(p: Any, generator: Any) -> Any:
    return (generator or random.default_generator).bernoulli(p)


@kernel
def coins_kernel(a: Any, p: float, generator: Any) -> Any:
    return (generator or random.default_generator).coins(a.shape, p, a.dtype)


@kernel
def random_kernel(a: Any, generator: Any, low: int, high: int | None) -> Any:
    source: random.Generator = generator or random.default_generator
    if high is None:
        return in_memory_order(a, lambda shape: source.full_range(shape, a.dtype))
    return in_memory_order(a, lambda shape: source.integers(low, high, shape, a.dtype))


@kernel
def normal_kernel(mean: Any, std: Any, generator: Any) -> Any:
    shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
    dtype = mean.dtype if isinstance(mean, np.ndarray | np.generic) else std.dtype
    if np.any(np.asarray(std) < 0):
        raise errors.normal_std(float(std)) if not isinstance(std, np.ndarray | np.generic) else errors.normal_stds()
    drawn = (generator or random.default_generator).normal(shape, 0.0, 1.0, dtype)
    return (drawn * std + mean).astype(dtype, copy=False)
