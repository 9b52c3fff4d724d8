"""`torch.fft`, composed of the three transforms as PyTorch composes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.composites.creation import strided_only
from engine.composites.to_python import cast
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import integer, wrap_dim

Dims = tuple[int, ...]


def _normalization(norm: str | None, forward: bool) -> int:
    """0 for none, 1 for √n, 2 for n."""
    if norm is None or norm == "backward":
        return 0 if forward else 2
    if norm == "forward":
        return 2 if forward else 0
    if norm != "ortho":
        raise errors.fft_norm(norm)
    return 1


def _promoted(input: Tensor, whole: bool = False) -> Tensor:
    """Floating point, or complex if it must be."""
    kind = input.dtype
    if kind.is_complex:
        return input
    if not kind.is_floating_point:
        kind = dtypes.get_default()
    if kind is dtypes.float16 or kind is dtypes.bfloat16:
        raise errors.fft_dtype(kind.type_name)
    return cast(input, (kind.to_complex() if whole else kind).np)


def _wrapped(dim: int, ndim: int) -> int:
    if not ndim:
        raise errors.dim_of_no_dims(dim)
    return wrap_dim(dim, ndim)


def _resized(x: Tensor, dims: Sequence[int], sizes: Sequence[int]) -> Tensor:
    """Cut to `sizes`, or filled up with zeros."""
    pads = [0] * (2 * x.ndim)
    for dim, size in zip(dims, sizes, strict=True):
        extent = x.shape[dim]
        if extent < size:
            pads[2 * (x.ndim - 1 - dim) + 1] = size - extent
        elif extent > size:
            x = ops.slice(x, dim, 0, size)
    return ops.constant_pad_nd(x, tuple(pads), 0) if any(pads) else x


def _points(count: int) -> None:
    if count < 1:
        raise errors.fft_points(count)


def _real_only(function: str, input: Tensor) -> None:
    if input.dtype.is_complex:
        raise errors.fft_needs_real(function, input.dtype.type_name)


def _from_real(
    function: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool, onesided: bool = True
) -> Tensor:
    _real_only(function, input)
    x = _promoted(input)
    dim = _wrapped(dim, x.ndim)
    points = x.shape[dim] if n is None else integer(n)
    _points(points)
    x = _resized(x, [dim], [points])
    result = ops._fft_r2c(x, (dim,), _normalization(norm, forward), onesided)
    return result if forward else ops.conj(result)


def _whole(function: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool) -> Tensor:
    if not input.dtype.is_complex:
        return _from_real(function, input, n, dim, norm, forward, False)
    dim = _wrapped(dim, input.ndim)
    points = input.shape[dim] if n is None else integer(n)
    _points(points)
    x = _resized(input, [dim], [points])
    return ops._fft_c2c(x, (dim,), _normalization(norm, forward), forward)


def _to_real(function: str, input: Tensor, n: int | None, dim: int, norm: str | None, forward: bool) -> Tensor:
    x = _promoted(input, whole=True)
    dim = _wrapped(dim, x.ndim)
    points = 2 * (x.shape[dim] - 1) if n is None else integer(n)
    _points(points)
    if n is not None:
        x = _resized(x, [dim], [points // 2 + 1])
    if forward:
        x = ops.conj(x)
    return ops._fft_c2r(x, (dim,), _normalization(norm, forward), points)


def _along_one(name: str, transform: Any, forward: bool, doc: str) -> None:
    @public("fft", name, doc=doc)
    def along_one(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
        result: Tensor = transform(name, input, n, dim, norm, forward)
        return result


_along_one("fft", _whole, True, "The discrete Fourier transform along `dim`, of `n` points.")
_along_one("ifft", _whole, False, "The inverse of `fft`.")
_along_one("rfft", _from_real, True, "The transform of real numbers without its symmetric half: n // 2 + 1 values.")
_along_one(
    "irfft", _to_real, False,
    "The inverse of `rfft`: `n` real numbers, twice as many as there are intervals unless given.",
)  # fmt: skip
_along_one("hfft", _to_real, True, "The transform of half of a Hermitian signal: real numbers.")
_along_one("ihfft", _from_real, False, "The inverse of `hfft`.")


def _shape_and_dims(x: Tensor, s: Any, dim: Any) -> tuple[list[int], Dims]:
    """The number of points along each dimension that is transformed, and these dimensions."""
    dims: Dims | None = None
    if dim is not None:
        dims = tuple(_wrapped(d, x.ndim) for d in ((dim,) if isinstance(dim, int) else dim))
        if len(set(dims)) != len(dims):
            raise errors.fft_repeated_dims()
    if s is not None:
        shape = [integer(size) for size in ((s,) if isinstance(s, int) else s)]
        if dims is None:
            if len(shape) > x.ndim:
                raise errors.fft_too_many_sizes(len(shape), x.ndim)
            dims = tuple(range(x.ndim - len(shape), x.ndim))
        elif len(dims) != len(shape):
            raise errors.fft_lengths()
        shape = [x.shape[d] if size == -1 else size for size, d in zip(shape, dims, strict=True)]
    else:
        dims = tuple(range(x.ndim)) if dims is None else dims
        shape = [x.shape[d] for d in dims]
    for size in shape:
        _points(size)
    return shape, dims


def _shape_to_real(function: str, x: Tensor, s: Any, dim: Any) -> tuple[list[int], Dims, int]:
    """As `_shape_and_dims`, where the last dimension has only half of its points; and how many it will have."""
    shape, dims = _shape_and_dims(x, s, dim)
    if not dims:
        raise errors.fft_no_axis(function)
    given = s is not None and (s if isinstance(s, int) else s[-1]) != -1
    points = shape[-1] if given else 2 * (x.shape[dims[-1]] - 1)
    _points(points)
    shape[-1] = points // 2 + 1
    return shape, dims, points


@public("fft")
def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """`fft` over several dimensions (all of them unless given), to the sizes `s`."""
    shape, dims = _shape_and_dims(input, s, dim)
    x = _resized(_promoted(input, whole=True), dims, shape)
    return ops._fft_c2c(x, dims, _normalization(norm, True), True)


@public("fft")
def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of `fftn`."""
    shape, dims = _shape_and_dims(input, s, dim)
    x = _resized(_promoted(input, whole=True), dims, shape)
    return ops._fft_c2c(x, dims, _normalization(norm, False), False)


@public("fft")
def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """`fftn` of real numbers, without the symmetric half along the last dimension."""
    _real_only("rfftn", input)
    shape, dims = _shape_and_dims(input, s, dim)
    if not dims:
        raise errors.fft_no_axis("rfftn")
    x = _resized(_promoted(input), dims, shape)
    return ops._fft_r2c(x, dims, _normalization(norm, True), True)


@public("fft")
def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of `rfftn`."""
    shape, dims, points = _shape_to_real("irfftn", input, s, dim)
    x = _resized(_promoted(input, whole=True), dims, shape)
    return ops._fft_c2r(x, dims, _normalization(norm, False), points)


@public("fft")
def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """`hfft` over several dimensions, the last of which is given by half."""
    shape, dims, points = _shape_to_real("hfftn", input, s, dim)
    x = _resized(_promoted(input, whole=True), dims, shape)
    kind = _normalization(norm, True)
    if len(dims) > 1:
        x = ops._fft_c2c(x, dims[:-1], kind, True)
    return ops._fft_c2r(ops.conj(x), dims[-1:], kind, points)


@public("fft")
def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of `hfftn`."""
    if input.dtype.is_complex:
        raise errors.fft_floating_only(input.dtype.type_name)
    shape, dims = _shape_and_dims(input, s, dim)
    if not dims:
        raise errors.fft_no_axis("ihfftn")
    x = _resized(_promoted(input), dims, shape)
    kind = _normalization(norm, False)
    half = ops._fft_r2c(x, dims[-1:], kind, True)
    if len(dims) == 1:
        return ops.conj(half)
    return ops._fft_c2c(ops.conj_physical(half), dims[:-1], kind, False)


def _two_dimensional(name: str, function: Any) -> None:
    @public("fft", name, doc=f"`{function.__name__}` over two dimensions, the last ones unless given.")
    def transform(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
        return function(input, s, dim, norm)


for _name, _function in {
    "fft2": fftn, "ifft2": ifftn, "rfft2": rfftn, "irfft2": irfftn, "hfft2": hfftn, "ihfft2": ihfftn,
}.items():  # fmt: skip
    _two_dimensional(_name, _function)


def _shifted(input: Tensor, dim: Any, back: bool) -> Tensor:
    if dim is None:
        dims: Dims = tuple(range(input.ndim))
    else:
        dims = tuple(wrap_dim(d, input.ndim) for d in ((dim,) if isinstance(dim, int) else dim))
    return ops.roll(input, tuple((input.shape[d] + back) // 2 for d in dims), dims)


@public("fft")
def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The frequency 0 moved to the middle."""
    return _shifted(input, dim, False)


@public("fft")
def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The inverse of `fftshift`."""
    return _shifted(input, dim, True)


def _frequencies(values: Any, n: int, d: float, dtype: Any, requires_grad: bool) -> Tensor:
    kind = (dtype or dtypes.get_default()).np
    with np.errstate(all="ignore"):
        scaled = values.astype(kind) * kind.type(1.0 / (n * d) if n * d else np.inf)
    return Tensor._from_array(scaled, requires_grad)


@public("fft")
def fftfreq(
    n: int, d: float = 1.0, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """The frequencies that `fft` of `n` points `d` apart is of."""
    strided_only({"layout": layout})
    meter.allocate(max(n, 0), 8)
    values = np.concatenate([np.arange((n + 1) // 2), np.arange(-(n // 2), 0)])
    return _frequencies(values, n, d, dtype, requires_grad)


@public("fft")
def rfftfreq(
    n: int, d: float = 1.0, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """The frequencies that `rfft` of `n` points `d` apart is of."""
    strided_only({"layout": layout})
    meter.allocate(max(n // 2 + 1, 0), 8)
    return _frequencies(np.arange(n // 2 + 1), n, d, dtype, requires_grad)
