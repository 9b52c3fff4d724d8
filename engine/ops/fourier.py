"""Fourier transforms: complex to complex, real to complex and complex to real, over any dimensions.

`normalization` is 0 for none, 1 for division by √n and 2 for division by n, with n the number of points. A transform of
real numbers has a symmetric half, which `onesided` leaves out along the last of `dim`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.kernels.fourier import is_rough
from engine.kernels.memory_format import contiguous, last_in_memory
from engine.kernels.names import kernel
from engine.limits import meter
from engine.ops.complexes import real_part
from engine.ops.shape import new_zeros
from engine.types import dtypes

FORWARD: tuple[Any, ...] = ("backward", "ortho", "forward")
"""numpy's names of our normalizations for a transform …"""
INVERSE: tuple[Any, ...] = ("forward", "ortho", "backward")
"""… and for its inverse."""


def _prepare(a: Any, dim: tuple[int, ...]) -> None:
    if a.dtype.char not in "fdFD":
        raise errors.fft_dtype(dtypes.of(a.dtype).type_name)
    if dim and not a.size:  # the library that PyTorch asks takes no batch of nothing
        raise errors.fft_no_batch()
    rough = any(is_rough(a.shape[d]) for d in dim)
    longest = max((a.shape[d] for d in dim), default=0)
    meter.room(16 * (2 * a.size + (9 if rough else 2) * longest))
    meter.work((768 if rough else 256) * a.size)
    state.complex = True


@kernel
def fft_c2c_kernel(a: Any, dim: tuple[int, ...], normalization: int, forward: bool) -> Any:
    _prepare(a, dim)
    if not dim:
        return a.copy() if a.ndim else a
    if forward:
        return last_in_memory(np.fft.fftn(a, axes=dim, norm=FORWARD[normalization]), a, dim)
    return last_in_memory(np.fft.ifftn(a, axes=dim, norm=INVERSE[normalization]), a, dim)


@kernel
def fft_r2c_kernel(a: Any, dim: tuple[int, ...], normalization: int, onesided: bool) -> Any:
    _prepare(a, dim)
    transform = np.fft.rfftn if onesided else np.fft.fftn
    return last_in_memory(transform(a, axes=dim, norm=FORWARD[normalization]), a, dim)


@kernel
def fft_c2r_kernel(a: Any, dim: tuple[int, ...], normalization: int, last_dim_size: int) -> Any:
    _prepare(a, dim)
    meter.allocate(a.size // max(a.shape[dim[-1]], 1) * last_dim_size, a.itemsize)
    sizes = [*(a.shape[d] for d in dim[:-1]), last_dim_size]
    return contiguous(np.fft.irfftn(a, s=sizes, axes=dim, norm=INVERSE[normalization]))


@rule
def fft_r2c_backward(g: Any, dim: tuple[int, ...], normalization: int, onesided: bool, x: Any) -> Any:
    """Zeros in place of the half that was left out, transformed back; the real part of that."""
    last = dim[-1]
    size, kept = x.shape[last], g.shape[last]
    if onesided and size > kept:
        shape = list(g.shape)
        shape[last] = size
        whole = new_zeros(g, tuple(shape))
        if isinstance(g, Tensor):
            ops.slice(whole, last, 0, kept).copy_(g)
        else:
            ops.slice(whole, last, 0, kept)[...] = g
        g = whole
    return real_part(ops._fft_c2c(g, dim, normalization, False))


@rule
def fft_c2r_backward(g: Any, dim: tuple[int, ...], normalization: int) -> Any:
    """Transformed forth, with twice the values that stand for their mirror image too."""
    result = ops._fft_r2c(g, dim, normalization, True)
    mirrored = g.shape[dim[-1]] - result.shape[dim[-1]]
    if mirrored > 0:
        inner = ops.slice(result, dim[-1], 1, 1 + mirrored)
        if isinstance(inner, Tensor):
            ops.mul_Scalar_(inner, 2)
        else:
            inner *= 2
    return result


op(
    "_fft_c2c(self, dim, normalization, forward)", "FftC2CBackward0",
    "fft_c2c_kernel(self, dim, normalization, forward)", inplace=False,
    self="_fft_c2c(g, dim, normalization, not forward)", tex="\\mathcal F^{\\mathsf H} g",
    says="a transform is turned back by its inverse without the division", vmap=rules.along("dim"), backward_cost=1,
)
op(
    "_fft_r2c(self, dim, normalization, onesided)", "FftR2CBackward0",
    "fft_r2c_kernel(self, dim, normalization, onesided)", inplace=False,
    self="fft_r2c_backward(g, dim, normalization, onesided, self)",
    tex="\\operatorname{Re}\\,\\mathcal F^{\\mathsf H} g",
    says="the gradient is transformed back, and its real part is taken", vmap=rules.along("dim"), backward_cost=2,
    wirtinger=True,
)
op(
    "_fft_c2r(self, dim, normalization, last_dim_size)", "FftC2RBackward0",
    "fft_c2r_kernel(self, dim, normalization, last_dim_size)", inplace=False,
    self="fft_c2r_backward(g, dim, normalization)", tex="\\mathcal F\\, g",
    says="the gradient is transformed forth; what stands for its mirror image too counts twice",
    vmap=rules.along("dim"), backward_cost=2,
)
