"""`torch.masked`: reductions that leave out what a mask excludes, by filling in what does not change the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.publish import public
from engine.composites.activations import functional_log_softmax, functional_softmax
from engine.composites.reductions import vector_norm
from engine.composites.to_python import cast
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.types import dtypes, shapes


def _dims(dim: Any, ndim: int) -> tuple[int, ...]:
    """All dimensions, or the given ones in order."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    return tuple(sorted(shapes.wrap_dims(shapes.dims(dim), ndim)))


@by_entry
def _mask(input: Tensor, mask: Tensor) -> Tensor:
    """The mask in the input's shape, as bools."""
    if mask.ndim > input.ndim:
        raise errors.mask_dimensions()
    wide = np.broadcast_to(np.asarray(mask._array).astype(bool), tuple(input.shape))
    return constant(wide.copy()[()])


def _filled(input: Tensor, mask: Tensor | None, fill: float) -> Tensor:
    return input if mask is None else ops.where(_mask(input, mask), input, fill)


def _lowest(input: Tensor, sign: int) -> float:
    """The smallest value there is (the largest for −1)."""
    if input.dtype.np.kind in dtypes.FLOATING:
        return -sign * math.inf
    limits = np.iinfo(input.dtype.np)
    return int(limits.min if sign > 0 else limits.max)


def _in(result: Any, dtype: Any) -> Any:
    return result if dtype is None else cast(result, dtype.np)


def _summed_dtype(input: Tensor, dtype: Any) -> Any:
    return dtypes.int64 if dtype is None and input.dtype.np.kind in "iub" else dtype


@public("masked", "sum")
def masked_sum(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """The sum of what the mask keeps."""
    filled = _filled(input, mask, 0)
    return ops.sum_dim(filled, _dims(dim, input.ndim), bool(keepdim), dtype=_summed_dtype(input, dtype))


@public("masked", "prod")
def masked_prod(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """The product of what the mask keeps."""
    result = _in(_filled(input, mask, 1), _summed_dtype(input, dtype))
    for axis in reversed(_dims(dim, input.ndim)):
        result = ops.prod_dim_int(result, axis, bool(keepdim))
    return result


def _kept(input: Tensor, dim: Any, keepdim: bool, mask: Tensor | None) -> Tensor:
    """How many elements each result is made of."""
    dims = _dims(dim, input.ndim)
    whole = constant(np.ones(tuple(input.shape), np.int64)[()])
    return ops.sum_dim(whole if mask is None else _mask(input, mask), dims, bool(keepdim))


@public("masked", "mean")
def masked_mean(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """The mean of what the mask keeps."""
    wanted = dtype or input.dtype
    if not (wanted.is_floating_point or wanted.is_complex):
        raise errors.masked_mean_dtype("Optional" if dtype else "Input", wanted)
    number = _kept(input, dim, keepdim, mask)
    return ops.div(masked_sum(input, dim, keepdim=keepdim, dtype=dtype, mask=mask), number)


def _extreme(name: str, sign: int) -> None:
    row, place = getattr(ops, f"a{name}"), getattr(ops, f"arg{name}")

    @public("masked", f"a{name}")
    def value(
        input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
    ) -> Any:
        filled = _filled(input, mask, _lowest(input, sign))
        return _in(row(filled, _dims(dim, input.ndim), bool(keepdim)), dtype)

    @public("masked", f"arg{name}")
    def where(
        input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
    ) -> Any:
        places = place(_filled(_in(input, dtype), mask, _lowest(input, sign)), dim, bool(keepdim))
        return cast(places, (dtype or input.dtype).np)  # places are numbers of the input's dtype, as in PyTorch


_extreme("max", 1)
_extreme("min", -1)


@public("masked", "median")
def masked_median(
    input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """The median of what the mask keeps."""
    return ops.nanmedian_dim(_filled(input, mask, math.nan), _dims(dim, input.ndim)[0], keepdim)[0]


@public("masked", "norm")
def masked_norm(
    input: Tensor,
    ord: float = 2.0,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Tensor | None = None,
) -> Any:
    """The p-norm of what the mask keeps."""
    fill = math.inf if ord < 0 else 0.0
    return vector_norm(_filled(input, mask, fill), ord, _dims(dim, input.ndim), bool(keepdim), dtype=dtype)


@public("masked", "normalize")
def masked_normalize(
    input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """What the mask keeps over its norm, and 0 elsewhere."""
    filled = _filled(input, mask, 0)
    norm = masked_norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return ops.div(filled, ops.maximum(norm, constant(norm._array.dtype.type(eps))))


@public("masked", "logsumexp")
def masked_logsumexp(
    input: Tensor, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Tensor | None = None
) -> Any:
    """log Σ e^x of what the mask keeps."""
    return _in(ops.logsumexp(_filled(input, mask, -math.inf), _dims(dim, input.ndim), keepdim), dtype)


@public("masked", "logaddexp")
def masked_logaddexp(
    input: Tensor,
    other: Tensor,
    *,
    dtype: Any = None,
    input_mask: Tensor | None = None,
    other_mask: Tensor | None = None,
) -> Any:
    """log(e^x + e^y), each where its mask keeps it."""
    first, second = _filled(input, input_mask, -math.inf), _filled(other, other_mask, -math.inf)
    return _in(ops.logaddexp(first, second), dtype)


def _running(name: str, fill: int) -> None:
    row = getattr(ops, name)

    @public("masked", name)
    def function(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Any:
        return row(_filled(input, mask, fill), _dims(dim, input.ndim)[0], dtype=dtype or input.dtype)


_running("cumsum", 0)
_running("cumprod", 1)


@public("masked", "softmax")
def masked_softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Any:
    """`softmax` of what the mask keeps, 0 elsewhere."""
    return functional_softmax(_filled(input, mask, -math.inf), _dims(dim, input.ndim)[0], dtype=dtype)


@public("masked", "log_softmax")
def masked_log_softmax(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Any:
    """`log_softmax` of what the mask keeps, −inf elsewhere."""
    return functional_log_softmax(_filled(input, mask, -math.inf), _dims(dim, input.ndim)[0], dtype=dtype)


@public("masked", "softmin")
def masked_softmin(input: Tensor, dim: int, *, dtype: Any = None, mask: Tensor | None = None) -> Any:
    """`softmin` of what the mask keeps, 0 elsewhere."""
    return functional_softmax(ops.neg(_filled(input, mask, math.inf)), _dims(dim, input.ndim)[0], dtype=dtype)


def _spread(name: str, doc: str, finish: Callable[[Any], Any]) -> None:
    @public("masked", name, doc=doc)
    def function(
        input: Tensor,
        dim: Any = None,
        unbiased: bool | None = None,
        *,
        correction: float | None = None,
        keepdim: bool = False,
        dtype: Any = None,
        mask: Tensor | None = None,
    ) -> Any:
        # By its definition, as PyTorch composes it.
        if unbiased is not None:
            correction = 1.0 if unbiased else 0.0
        correction = 1.0 if correction is None else float(correction)
        if dtype is None:
            dtype = input.dtype if input.dtype.np.kind in dtypes.INEXACT else dtypes.float32
        total = masked_sum(input, dim, keepdim=True, dtype=dtype, mask=mask)
        centred = ops.sub(input, ops.div(total, _kept(input, dim, True, mask)))
        other = centred.conj() if centred.is_complex() else centred
        spread = masked_sum(ops.mul(centred, other), dim, keepdim=keepdim, dtype=dtype, mask=mask)
        number = _kept(input, dim, keepdim, mask)
        if correction:
            number = ops.sub(cast(number, spread._array.real.dtype), correction)
            number = ops.maximum(number, constant(np.zeros_like(number._array)[()]))
        return finish(_in(ops.div(spread, number), dtype))


_spread("var", "The variance of what the mask keeps.", lambda variance: variance)
_spread("std", "The standard deviation of what the mask keeps.", ops.sqrt)
