"""Products of matrices and vectors.

A gradient keeps the memory layout of its operand, as in PyTorch: the weight of a linear layer reaches `mm` transposed,
and `(g.T @ a).T` makes its gradient come out row-major in the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.codegen.publish import publish
from engine.core.registry import NUMPY, ops
from engine.core.tensor import Tensor
from engine.kernels.linalg import addmm_sizes, addr_sizes, is_column_major, mm_gradient_first, mm_gradient_second
from engine.types.shapes import Shape


@rule
def mm_grad_first(g: Any, mat2: Any, shape: Shape, strides: Shape) -> Any:
    """The gradient of the first operand of `mm`, in that operand's layout."""
    if is_column_major(shape, strides, g.itemsize):
        return ops.t(ops.mm(mat2, ops.t(g)))
    return ops.mm(g, ops.t(mat2))


@rule
def mm_grad_second(g: Any, mat1: Any, shape: Shape, strides: Shape) -> Any:
    """The gradient of the second operand of `mm`, in that operand's layout."""
    if is_column_major(shape, strides, g.itemsize):
        return ops.t(ops.mm(ops.t(g), mat1))
    return ops.mm(ops.t(mat1), g)


NUMPY["mm_grad_first"], NUMPY["mm_grad_second"] = mm_gradient_first, mm_gradient_second


@rule
def scaled(value: Any, factor: Any) -> Any:
    """`value * factor`, and no op at all for 1."""
    return value if factor == 1 else ops.mul_Scalar(value, factor)


@rule
def outer_product(first: Any, second: Any) -> Any:
    """The matrix of products of two vectors, made as PyTorch's `ger` makes it."""
    return first.reshape(first.shape[0], 1) * second


@rule
def trace_backward(g: Any, shape: Shape) -> Any:
    """The gradient of every diagonal element is that of their sum."""
    flat = np.zeros(shape[0] * shape[1], g.dtype if isinstance(g, np.generic | np.ndarray) else g._array.dtype)
    diagonal = np.arange(0, min(flat.size, shape[1] * shape[1]), shape[1] + 1)
    if isinstance(g, np.generic | np.ndarray):
        flat[diagonal] = g
        return flat.reshape(shape)
    filled = ops.index_fill_int_Tensor(Tensor._from_array(flat), 0, Tensor._from_array(diagonal), g)
    return filled.view(shape)


@rule
def batched(g: Any, count: int, rows: int, columns: int) -> Any:
    """The gradient of a sum over a batch of products, repeated for each of them."""
    return ops.expand(ops.unsqueeze(g, 0), (count, rows, columns))


mm = op(
    "mm(self, mat2)", "MmBackward0", "mm_kernel(self, mat2)", inplace=False,
    self="mm_grad_first(g, mat2, self.shape, self.strides)",
    mat2="mm_grad_second(g, self, mat2.shape, mat2.strides)",
    tex=("G\\,B^{\\mathsf T}", "A^{\\mathsf T} G"),
    says="for C = A B the gradients are G Bᵀ and Aᵀ G", vmap=rules.mm, autocast="lower_precision_fp", sparse=True,
    opmath="bfloat16",
)
addmm = op(
    "addmm(self, mat1, mat2, *, beta: Scalar = 1, alpha: Scalar = 1)", "AddmmBackward0",
    "addmm_kernel(self, mat1, mat2, beta=beta, alpha=alpha)",
    self="scaled(g, beta)",
    mat1="scaled(mm_grad_first(g, mat2, mat1.shape, mat1.strides), alpha)",
    mat2="scaled(mm_grad_second(g, mat1, mat2.shape, mat2.strides), alpha)",
    says="a matrix product plus a bias: G Bᵀ, Aᵀ G, and G itself for the bias", vmap=rules.plus(rules.mm, "mm"),
    autocast="lower_precision_fp", sparse=True, overlap="none", names_sizes=True, inplace_check=addmm_sizes,
    opmath="bfloat16",
)
bmm = op(
    "bmm(self, mat2)", "BmmBackward0", "bmm_kernel(self, mat2)", inplace=False,
    self="bmm(g, transpose(mat2, 1, 2))", mat2="bmm(transpose(self, 1, 2), g)",
    says="a matrix product for each element of the batch: G Bᵀ and Aᵀ G", vmap=rules.mm, autocast="lower_precision_fp",
    opmath="bfloat16",
)
baddbmm = op(
    "baddbmm(self, batch1, batch2, *, beta: Scalar = 1, alpha: Scalar = 1)", "BaddbmmBackward0",
    "baddbmm_kernel(self, batch1, batch2, beta=beta, alpha=alpha)",
    self="scaled(g, beta)",
    batch1="scaled(bmm(g, transpose(batch2, 1, 2)), alpha)",
    batch2="scaled(bmm(transpose(batch1, 1, 2), g), alpha)",
    says="a batch of matrix products plus a bias: G Bᵀ, Aᵀ G, and G itself for the bias",
    vmap=rules.plus(rules.mm, "bmm"), backward_cost=1, autocast="lower_precision_fp", overlap="none", names_sizes=True,
    opmath="bfloat16",
)
addbmm = op(
    "addbmm(self, batch1, batch2, *, beta: Scalar = 1, alpha: Scalar = 1)", "AddbmmBackward0",
    "addbmm_kernel(self, batch1, batch2, beta=beta, alpha=alpha)",
    self="scaled(g, beta)",
    batch1="scaled(bmm(batched(g, batch1.shape[0], batch1.shape[1], batch2.shape[2]), transpose(batch2, 1, 2)), alpha)",
    batch2="scaled(bmm(transpose(batch1, 1, 2), batched(g, batch1.shape[0], batch1.shape[1], batch2.shape[2])), alpha)",
    says="the products of the batch are added up, so each gets the whole gradient", vmap=rules.addbmm,
    autocast="lower_precision_fp", overlap="none", opmath="bfloat16",
)
mv = op(
    "mv(self, vec)", "MvBackward0", "mv_kernel(self, vec)", inplace=False,
    self="outer_product(g, vec)", vec="mv(t(self), g)",
    says="for y = A x the gradients are g xᵀ and Aᵀ g", vmap=rules.mv, sparse=True, opmath="bfloat16",
)
addmv = op(
    "addmv(self, mat, vec, *, beta: Scalar = 1, alpha: Scalar = 1)", "AddmvBackward0",
    "addmv_kernel(self, mat, vec, beta=beta, alpha=alpha)",
    self="scaled(g, beta)", mat="scaled(outer_product(g, vec), alpha)", vec="scaled(mv(t(mat), g), alpha)",
    says="a matrix times a vector plus a bias: g xᵀ, Aᵀ g, and g itself for the bias", vmap=rules.plus(rules.mv, "mv"),
    overlap="none", names_sizes=True, opmath="bfloat16",
)
addr = op(
    "addr(self, vec1, vec2, *, beta: Scalar = 1, alpha: Scalar = 1)", "AddrBackward0",
    "addr_kernel(self, vec1, vec2, beta=beta, alpha=alpha)",
    self="scaled(g, beta)", vec1="scaled(mv(g, vec2), alpha)", vec2="scaled(mv(t(g), vec1), alpha)",
    says="a matrix plus the outer product of two vectors", vmap=rules.addr, overlap="none", inplace_check=addr_sizes,
    opmath="bfloat16",
)
dot = op(
    "dot(self, tensor)", "DotBackward0", "dot_kernel(self, tensor)", inplace=False,
    self="g * tensor", tensor="g * self",
    says="the derivative in each vector is the other vector", vmap=rules.dot, opmath="bfloat16",
)
vdot = op(
    "vdot(self, other)", "VdotBackward0", "vdot_kernel(self, other)", inplace=False,
    self="conjugated(g) * other", other="g * self",
    says="the derivative in each vector is the other vector", wirtinger=True, opmath="bfloat16",
)

op(
    "trace(self)", "TraceBackward0", "trace_kernel(self)", inplace=False, self="trace_backward(g, self.shape)",
    says="the diagonal gets the whole gradient, the rest nothing", vmap=rules.trace, cost=20, autocast="fp32",
    opmath="bfloat16",
)
op(
    "linalg_cross(self, other, *, dim=-1)", "LinalgCrossBackward0", "cross_kernel(self, other, dim)",
    promote="self other", inplace=False,
    self="linalg_cross(other, g, dim=dim)", other="linalg_cross(g, self, dim=dim)",
    says="the derivatives of a cross product are cross products with the other vector", vmap=rules.linalg_cross,
    cost=50,
    backward_cost=4, memory_format="contiguous", opmath="bfloat16",
)
op(
    "_trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim)", "TrilinearBackward0",
    "trilinear_kernel(i1, i2, i3, expand1, expand2, expand3, sumdim)", inplace=False,
    i1="_trilinear(g, i2, i3, sumdim, expand2, expand3, expand1)",
    i2="_trilinear(i1, g, i3, expand1, sumdim, expand3, expand2)",
    i3="_trilinear(i1, i2, g, expand1, expand2, sumdim, expand3)",
    says="a sum of products of three: the derivative in each factor is the product of the other two", backward_cost=16,
    opmath="bfloat16",
)

publish("method torch", "trace")
publish("method torch", "mm", "bmm", "mv", "dot", "vdot")
