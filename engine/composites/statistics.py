"""Differences, integrals, quantiles and covariances: functions that PyTorch composes of other ops.

Where PyTorch evaluates the second operand first, so do these: it orders the nodes of the backward pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.autocast import widened
from engine.codegen.publish import TORCH, public
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.ops.complexes import imaginary_part, real_part
from engine.types import dtypes, shapes


def _joined(input: Tensor, before: Tensor | None, after: Tensor | None, dim: int) -> Any:
    parts = [part for part in (before, input, after) if part is not None]
    return ops.cat(parts, dim) if len(parts) > 1 else input


def _check_joined(input: Tensor, part: Tensor, dim: int) -> None:
    if part.ndim != input.ndim:
        raise errors.diff_dimensions()
    for axis, (own, other) in enumerate(zip(input.shape, part.shape, strict=True)):
        if own != other and axis != dim:
            raise errors.diff_shapes(axis, own, other)


@public("method torch")
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Any:
    """The n-th differences of neighbours along a dimension."""
    if input.ndim < 1:
        raise errors.diff_scalar()
    if n < 0:
        raise errors.diff_order(n)
    dim = shapes.wrap_dim(dim, input.ndim)
    for part in (prepend, append):
        if part is not None:
            _check_joined(input, part, dim)
    if n == 0:
        return constant(np.zeros_like(input._array)).copy_(input)
    result = _joined(input, prepend, append, dim)
    for _ in range(min(n, result.shape[dim])):
        extent = result.shape[dim]
        lower = ops.slice(result, dim, 0, extent - 1)
        upper = ops.slice(result, dim, 1, extent)
        result = TORCH["logical_xor"](upper, lower) if input._array.dtype.kind == "b" else ops.sub(upper, lower)
    return result


@public("torch")
def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> tuple[Tensor, ...]:
    """Slopes of a sampled function by central differences; one-sided at the edges."""
    dims = tuple(range(input.ndim)) if dim is None else shapes.wrap_dims(shapes.dims(dim), input.ndim)
    if spacing is None:
        if dim is not None and not isinstance(dim, int):
            raise TypeError(dim)
        spacing = 1
    if isinstance(spacing, int | float | np.number):
        steps: Sequence[Any] = [spacing] * len(dims)
    else:
        steps = list(spacing)
    if len(steps) != len(dims):
        if dim is None:
            raise errors.gradient_tensors(len(steps), input.ndim)
        raise errors.gradient_spacing(len(steps), len(dims))
    if edge_order not in (1, 2):
        raise errors.gradient_edge_order()
    for axis in dims:
        if input.shape[axis] < edge_order + 1:
            raise errors.gradient_too_small()
    if input._array.dtype == np.uint8:
        raise errors.gradient_uint8()
    if input._array.dtype.kind in "iu" and edge_order == 2:
        input = ops.to_dtype(input, dtypes.get_default().np)
    slope = _slope_at if any(isinstance(step, Tensor) for step in steps) else _even_slope
    return tuple(slope(input, axis, step, edge_order) for axis, step in zip(dims, steps, strict=True))


def _even_slope(input: Tensor, axis: int, step: float, edge_order: int) -> Any:
    extent = input.shape[axis]

    def at(start: int, end: int) -> Any:
        return ops.slice(input, axis, start if start >= 0 else extent + start, end)

    lower, upper = at(0, extent - 2), at(2, extent)
    center = ops.div_Scalar(ops.sub(upper, lower), step)
    if edge_order == 1:
        a, b = at(0, 1), at(1, 2)
        first = ops.div_Scalar(ops.sub(b, a), step)
        a, b = at(-2, extent - 1), at(-1, extent)
        last = ops.div_Scalar(ops.sub(b, a), step)
    else:
        first = ops.div_Scalar(_combined(at, [(-1.5, 0, 1), (2, 1, 2), (-0.5, 2, 3)]), step)
        ends = [(0.5, -3, extent - 2), (-2, -2, extent - 1), (1.5, -1, extent)]
        last = ops.div_Scalar(_combined(at, ends), step)
    return ops.cat([first, ops.div_Scalar(center, 2), last], axis)


def _combined(at: Any, terms: Sequence[tuple[float, int, int]]) -> Any:
    """A sum of multiples of slices, where a negative multiple after the first is subtracted."""
    (first, *_), (second, *_), (third, *_) = terms
    factors = (first, abs(second), abs(third))
    c, b, a = [
        ops.mul_Scalar(at(start, end), factor)
        for (_, start, end), factor in zip(reversed(terms), reversed(factors), strict=True)
    ]
    total = ops.add(a, b) if second > 0 else ops.sub(a, b)
    return ops.add(total, c) if third > 0 else ops.sub(total, c)


@by_entry
def _slope_at(input: Tensor, axis: int, places: Any, edge_order: int) -> Any:
    """Slopes of samples at uneven places."""
    extent = input.shape[axis]
    gaps = np.diff(places._array)
    if gaps.dtype.kind in "iu":
        gaps = gaps.astype(dtypes.get_default().np)
    size = [-1 if d == axis else 1 for d in range(input.ndim)]

    def at(start: int, end: int) -> Any:
        return ops.slice(input, axis, start, end)

    def weighted(*terms: tuple[Any, int, int]) -> Any:
        c, b, a = [ops.mul(constant(np.asarray(k)[()]), at(start, end)) for k, start, end in reversed(terms)]
        return ops.add(ops.add(a, b), c)

    before, after = gaps[:-1].reshape(size), gaps[1:].reshape(size)
    center = weighted(
        (-after / (before * (before + after)), 0, extent - 2),
        ((after - before) / (before * after), 1, extent - 1),
        (before / (after * (before + after)), 2, extent),
    )
    if edge_order == 1:
        a, b = at(0, 1), at(1, 2)
        first = ops.div(ops.sub(b, a), constant(gaps[0]))
        a, b = at(extent - 2, extent - 1), at(extent - 1, extent)
        last = ops.div(ops.sub(b, a), constant(gaps[-1]))
    else:
        p, q = gaps[0], gaps[1]
        first = weighted((-(2 * p + q) / (p * (p + q)), 0, 1), ((p + q) / (p * q), 1, 2), (-p / (q * (p + q)), 2, 3))
        p, q = gaps[-2], gaps[-1]
        last = weighted(
            (q / (p * (q + p)), extent - 3, extent - 2),
            (-(q + p) / (q * p), extent - 2, extent - 1),
            ((2 * q + p) / (q * (q + p)), extent - 1, extent),
        )
    return ops.cat([first, center, last], axis)


def _sides(y: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    extent = y.shape[dim]
    return ops.slice(y, dim, 0, extent - 1), ops.slice(y, dim, 1, extent)


def _steps(name: str, y: Tensor, x: Tensor, dim: int) -> Any:
    """The distances of sample points, in a shape that goes with `y`."""
    if y._array.dtype.kind == "b" or x._array.dtype.kind == "b":
        raise errors.trapezoid_bool(name, "`x` or `y`")
    if x.ndim == 1:
        if x.shape[0] != y.shape[dim]:
            raise errors.trapezoid_points(name)
        x = ops.view(x, tuple(x.shape[0] if d == dim else 1 for d in range(y.ndim)))
    elif x.ndim < y.ndim:
        x = ops.view(x, (1,) * (y.ndim - x.ndim) + tuple(x.shape))
    left, right = _sides(x, dim)
    return ops.sub(right, left)


def _check_samples(name: str, y: Tensor) -> None:
    if y._array.dtype.kind == "b":
        raise errors.trapezoid_bool(name, "`y`")


def _divisible(t: Any) -> Any:
    """Integers, once they are added, as numbers that can be halved."""
    return ops.to_dtype(t, dtypes.get_default().np) if t._array.dtype.kind in "iu" else t


@public("torch", "trapezoid", "trapz")
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float | None = None, dim: int = -1) -> Any:
    """The integral by the trapezoidal rule, of samples at `x` or `dx` apart."""
    if isinstance(dx, complex):
        raise errors.trapezoid_complex("trapezoid")
    if not y.ndim:
        raise errors.dim_of_no_dims(dim if x is None else shapes.wrap_dim(dim, 0))
    dim = shapes.wrap_dim(dim, y.ndim)
    if not y.shape[dim]:
        return constant(np.zeros([n for d, n in enumerate(y.shape) if d != dim], y._array.dtype)[()])
    if x is not None:
        steps = _steps("trapezoid", y, x, dim)
        left, right = _sides(y, dim)
        return ops.div_Scalar(ops.sum_dim(ops.mul(ops.add(left, right), steps), (dim,)), 2.0)
    _check_samples("trapezoid", y)
    last, first = ops.select(y, dim, y.shape[dim] - 1), ops.select(y, dim, 0)
    ends = ops.mul_Scalar(_divisible(ops.add(first, last)), 0.5)
    return ops.mul_Scalar(ops.sub(_divisible(ops.sum_dim(y, (dim,))), ends), 1.0 if dx is None else dx)


@public("torch")
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float | None = None, dim: int = -1) -> Any:
    """Running integrals by the trapezoidal rule."""
    if isinstance(dx, complex):
        raise errors.trapezoid_complex("cumulative_trapezoid")
    if not y.ndim:
        raise errors.slice_scalar()
    dim = shapes.wrap_dim(dim, y.ndim)
    if x is not None:
        steps = _steps("cumulative_trapezoid", y, x, dim)
        left, right = _sides(y, dim)
        return ops.div_Scalar(ops.cumsum(ops.mul(ops.add(left, right), steps), dim), 2.0)
    _check_samples("cumulative_trapezoid", y)
    left, right = _sides(y, dim)
    return ops.cumsum(ops.mul_Scalar(_divisible(ops.add(left, right)), (1.0 if dx is None else dx) / 2.0), dim)


@by_entry
def _quantile(input: Tensor, q: Any, dim: int | None, keepdim: bool, interpolation: str, skip_nan: bool) -> Any:
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise errors.quantile_interpolation(interpolation)
    input, q = widened(input, q)
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise errors.quantile_range(q)
        q = constant(input._array.dtype.type(q))
    if not input._array.size:
        raise errors.quantile_empty()
    if q.ndim > 1:
        raise errors.quantile_dimensions()
    if input._array.dtype.char not in "fd":
        raise errors.quantile_dtype()
    if q._array.dtype != input._array.dtype:
        raise errors.quantile_q_dtype()
    if not np.all((q._array >= 0) & (q._array <= 1)):
        raise errors.quantile_q_range()
    axis = shapes.wrap_dim(0 if dim is None else dim, input.ndim)
    shape = list(input._array.shape)
    if dim is not None and shape:
        shape[axis : axis + 1] = [1] if keepdim else []
    else:
        shape = [1] * len(shape) if keepdim else []
    if dim is None:
        ordered = ops.sort(TORCH["flatten"](input))[0]
    elif axis == input.ndim - 1:
        ordered = ops.sort(input)[0]
    else:
        ordered = ops.sort(ops.transpose(ops.unsqueeze(input, -1), axis, -1))[0]
    ordered = ops.view(ordered, (*shape, ordered.shape[-1]))
    ranks = _ranks(ordered, q, skip_nan)
    rounding = {"lower": ops.floor, "higher": ops.ceil, "nearest": ops.round}.get(interpolation)
    ranks = ranks if rounding is None else rounding(ranks)
    below = constant(ranks._array.astype(np.int64))
    found = ops.gather(ordered, -1, below)
    if interpolation in ("linear", "midpoint"):
        middle = interpolation == "midpoint"
        weight = constant(np.full_like(ranks._array, 0.5)) if middle else ops.sub(ranks, below)
        above = ops.gather(ordered, -1, constant(np.ceil(ranks._array).astype(np.int64)))
        found = found.lerp_(above, weight)
    if q.ndim:
        found = found.unsqueeze_(0).transpose_(0, -1)
    return found.squeeze_(-1)


def _ranks(ordered: Tensor, q: Tensor, skip_nan: bool) -> Any:
    """How far along the sorted elements the quantiles lie."""
    nans = np.isnan(ordered._array)
    if skip_nan:
        count = (~nans).sum(-1, keepdims=True) - 1
        ranks = ops.mul(q, constant(count))
        return ops.masked_fill_Scalar(ranks, constant(ranks._array < 0), 0)
    last = ordered.shape[-1] - 1
    any_nan = nans.any(-1, keepdims=True)
    ranks = ops.mul_Scalar(q, last)
    shape = np.broadcast_shapes(ranks._array.shape, any_nan.shape)
    if shape != ranks._array.shape:
        ranks = ops.expand(ranks, shape)
    return ops.masked_fill_Scalar(ranks, constant(np.broadcast_to(any_nan, shape)), last)


@public("method torch")
def quantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """The values below which the fractions `q` of the elements lie."""
    return _quantile(input, q, dim, keepdim, interpolation, skip_nan=False)


@public("method torch")
def nanquantile(
    input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    """As `quantile`, leaving NaN out."""
    return _quantile(input, q, dim, keepdim, interpolation, skip_nan=True)


def _check_weights(name: str, weights: Tensor | None, observations: int, wanted: str, kinds: str) -> None:
    if weights is None:
        return
    if weights.ndim > 1:
        raise errors.cov_weight_dimensions(name, weights.ndim)
    if weights._array.dtype.kind not in kinds:
        raise errors.cov_weight_dtype(name, wanted, weights.dtype.type_name)
    if weights._array.size != observations:
        raise errors.cov_weight_count(name, weights._array.size, observations)
    if weights._array.size and weights._array.min() < 0:
        raise errors.cov_weight_negative(name)


@public("method torch")
def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Any:
    """The covariance matrix of variables in rows."""
    if input.ndim > 2:
        raise errors.cov_dimensions(input.ndim)
    if input._array.dtype.kind == "b":
        raise errors.cov_bool()
    rows = ops.view(input, (1, int(input._array.size))) if input.ndim < 2 else input
    _check_weights("fweights", fweights, rows.shape[1], "integral", "iu")
    _check_weights("aweights", aweights, rows.shape[1], "floating point", "f")
    weight = fweights
    if aweights is not None:
        weight = aweights if weight is None else ops.mul(weight, aweights)
    total = constant(np.int64(rows.shape[1])) if weight is None else ops.sum(weight)
    mean = ops.div(ops.sum_dim(rows if weight is None else ops.mul(rows, weight), (1,)), total)
    factor = total
    if weight is not None and aweights is not None and correction != 0:
        lost = ops.div(ops.mul_Scalar(ops.sum(ops.mul(weight, aweights)), correction), total)
        factor = ops.sub(total, lost)
    elif correction != 0:
        factor = ops.sub_Scalar(total, correction)
    if factor._array <= 0:
        errors.warn_cov_freedom()
        factor = constant(np.zeros_like(factor._array)[()])
    centred = ops.sub(rows, ops.unsqueeze(mean, 1))
    weighted = ops.t(centred if weight is None else ops.mul(centred, weight))
    if not input.is_complex():
        return ops.squeeze(ops.div(ops.mm(centred, weighted), factor))
    product = ops.mm(centred, weighted.conj())
    if rows.shape[0] == 1:  # a variance is real
        product = ops.complex(real_part(product), constant(np.zeros_like(product._array.real)))
    return ops.squeeze(ops.div(product, factor))


@public("method torch")
def corrcoef(input: Tensor) -> Any:
    """The matrix of correlation coefficients of variables in rows."""
    if input.ndim > 2:
        raise errors.cov_dimensions(input.ndim, "corrcoef")
    matrix = cov(input)
    if not matrix.ndim:
        return ops.div(matrix, matrix)
    variances = ops.diagonal(matrix)
    spread = ops.sqrt(real_part(variances))
    matrix = ops.div(matrix, ops.view(spread, (spread.shape[0], 1)))
    matrix = ops.div(matrix, ops.view(spread, (1, spread.shape[0])))
    if input.is_complex():
        real, imag = real_part(matrix), imaginary_part(matrix)
        return ops.complex(ops.clamp(real, -1, 1), ops.clamp(imag, -1, 1))
    return ops.clamp(matrix, -1, 1)
