"""`torch.norm_except_dim` and the weight of a direction and a length."""

from __future__ import annotations

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types import dtypes


@public("torch")
def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """Norms over all dimensions but `dim`, which keeps its place; over all of them for -1."""
    if v._array.dtype.kind not in dtypes.INEXACT:
        raise errors.norm_input_dtype(v.dtype.type_name)
    if dim == -1:
        return ops.norm_Scalar(v, pow)
    others = (1,) * (v.dim() - 1)
    if dim == 0:
        rows = v.contiguous().view(v.size(0), -1)
        return ops.view(ops.norm_ScalarOpt_dim(rows, pow, (1,), False), (v.size(0), *others))
    if dim == v.dim() - 1:
        rows = v.contiguous().view(-1, v.size(-1))
        return ops.view(ops.norm_ScalarOpt_dim(rows, pow, (0,), False), (*others, v.size(-1)))
    return norm_except_dim(v.transpose(0, dim), pow, 0).transpose(0, dim)


@public("torch")
def _weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """`g · v / ‖v‖`, the norm being over all dimensions but `dim`."""
    if dim in (0, v.dim() - 1):
        return ops._weight_norm_interface(v, g, dim)[0]
    return v * (g / norm_except_dim(v, 2, dim))
