"""Sparse tensors of coordinates: to and from dense ones, products, sums, softmax. Their values are `types/coo.py`."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.sparse import unwritten

op(
    "_sparse_coo_tensor_with_dims_and_tensors(indices: Tensor, values, size, is_coalesced=False)",
    "SparseCooTensorWithDimsAndTensorsBackward0", "coo_kernel(indices, values, size, is_coalesced)", inplace=False,
    values="sparse_constructor_values_backward(g, indices)", hides="size is_coalesced",
    says="each value gets the gradient of the place it was put at", sparse=True,
)
op(
    "sparse_constructor_values_backward(grad, indices: Tensor)", "IndexBackward0",
    "sparse_constructor_values_backward(grad, indices)", inplace=False,
    grad="_sparse_coo_tensor_with_dims_and_tensors(indices, g, grad.shape)",
    says="what a gradient has at the places of the values", sparse=True,
)
op(
    "_to_dense(self)", "ToDenseBackward0", "to_dense_kernel(self)", inplace=False,
    self="sparse_mask(g, _coalesce(self))",
    says="only the places that are named get a gradient", sparse=True,
)
op(
    "sparse_mask(self, mask: Tensor)", "SparseMaskBackward0", "masked_kernel(self, mask)", inplace=False,
    self="to_sparse_backward(g)", says="the places that were left out get no gradient", keeps="mask", sparse=True,
)
op(
    "_coalesce(self)", "CoalesceBackward0", "coalesced_kernel(self)", inplace=False, self="g",
    says="values of one place were added up: each gets the gradient of their sum", sparse=True,
)
op(
    "_to_sparse.sparse_dim(self, sparse_dim)", "ToSparseBackward0", "to_sparse_kernel(self, sparse_dim)",
    inplace=False, self="to_sparse_backward(g)", says="the same numbers: the gradient passes unchanged",
)
op(
    "_to_sparse(self)", "ToSparseBackward1", "to_sparse_kernel(self, self.ndim)",
    inplace=False, self="to_sparse_backward(g)", says="the same numbers: the gradient passes unchanged",
)
op("to_sparse_backward(grad)", "ToDenseBackward0", "to_sparse_backward(grad)", inplace=False, grad="g",
   says="the gradient as a dense tensor", sparse=True)
op(
    "values(self)", "ValuesBackward0", "values_kernel(self)", inplace=False, self="values_backward(g, self)",
    says="the gradient of the values, at their places", sparse=True,
)
op("values_backward(grad, self: Tensor)", "ValuesBackward0", "values_backward(grad, self)", inplace=False,
   grad="sparse_constructor_values_backward(g, self_indices(self))", says="values put at the places of others",
   sparse=True)
op(
    "_sparse_addmm(self, mat1, mat2, *, beta: Scalar = 1, alpha: Scalar = 1)", "SparseAddmmBackward0",
    "sparse_addmm_kernel(self, mat1, mat2, beta, alpha)", inplace=False,
    self="scaled(g, beta)", mat1="mm_mat1_sparse_backward(g, mat2, mat1, alpha)",
    mat2="mm_mat2_sparse_backward(g, mat1, alpha)", tex=("\\beta g", "G\\,B^{\\mathsf T}", "A^{\\mathsf T} G"),
    says="for A B the gradients are G Bᵀ, at the places of the sparse A, and Aᵀ G", sparse=True,
)
_UNAVAILABLE = "sparse_unavailable(g)"
op("mm_mat1_sparse_backward(grad, mat2, mat1: Tensor, alpha: Scalar)", "MmBackward0",
   "mm_mat1_sparse_backward(grad, mat2, mat1, alpha)", inplace=False, grad=_UNAVAILABLE, mat2=_UNAVAILABLE,
   says="a product of matrices at the places of a sparse one", sparse=True)
op("mm_mat2_sparse_backward(grad, mat1, alpha: Scalar)", "MmBackward0", "mm_mat2_sparse_backward(grad, mat1, alpha)",
   inplace=False, grad=_UNAVAILABLE, mat1=_UNAVAILABLE, says="a product with a transposed sparse matrix", sparse=True)
op(
    "_sparse_sparse_matmul(self, other)", "SparseSparseMatmulBackward0", "sparse_product(self, other)", inplace=False,
    self="sparse_sparse_matmul_backward(g, other, self, True)",
    other="sparse_sparse_matmul_backward(self, g, other, False)",
    says="for A B the gradients are G Bᵀ and Aᵀ G", sparse=True,
)
op("sparse_sparse_matmul_backward(first, second, places: Tensor, last)", "SparseSparseMatmulBackward0",
   "sparse_sparse_matmul_backward(first, second, places, last)", inplace=False, first=_UNAVAILABLE, second=_UNAVAILABLE,
   says="a product of sparse matrices, one of them transposed", sparse=True)
op(
    "_sparse_sum.dim(self, dim)", "SparseSumBackward0", "sparse_sum_kernel(self, dim)", inplace=False,
    self="sparse_sum_backward(g, self, dim)", says="every summand gets the gradient of its sum", sparse=True,
)
op("sparse_sum_backward(grad, self: Tensor, dim)", "NotImplemented", "sparse_sum_backward(grad, self, dim)",
   inplace=False, grad=_UNAVAILABLE, says="the gradient of a sum, at the places of the summands", sparse=True)
for _log, _name, _node, _says in (
    (False, "_sparse_softmax", "SparseSoftmaxBackward0", "as of softmax, over the values that there are"),
    (True, "_sparse_log_softmax", "SparseLogSoftmaxBackward0", "as of log_softmax, over the values that there are"),
):
    op(
        f"{_name}(self, dim)", _node, f"sparse_softmax_kernel(self, dim, {_log})", inplace=False,
        self=f"{_name}_backward_data(g, result, dim)", says=_says, keeps="self", sparse=True,
    )
    op(f"{_name}_backward_data(grad_output, output: Tensor, dim)", "NotImplemented",
       f"sparse_softmax_backward(grad_output, output, dim, {_log})", inplace=False, grad_output=_UNAVAILABLE,
       says=_says, sparse=True)


@rule
def sparse_unavailable(g: Any) -> Any:
    """Raise: PyTorch may have the gradient of this gradient."""
    raise errors.sparse_unavailable("the gradient of a gradient")


@rule
def self_indices(a: Any) -> Any:
    """The places of a sparse tensor."""
    return constant(unwritten(a._array.indices)) if isinstance(a, Tensor) else a.indices


@rule
def embedding_backward(
    g: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool, sparse: bool
) -> Any:
    """The gradient of a table: of all rows, or of those that were used as a sparse tensor."""
    if not sparse:
        return ops.embedding_dense_backward(g, indices, num_weights, padding_idx, scale_grad_by_freq)
    if scale_grad_by_freq:
        raise errors.sparse_by_frequency()
    flat = indices.reshape(-1)
    rows = g.reshape(flat.shape[0], g.shape[-1])
    return ops.embedding_sparse_backward(rows, flat, num_weights, padding_idx)


op(
    "embedding_sparse_backward(grad, indices: Tensor, num_weights, padding_idx)",
    "SparseCooTensorWithDimsAndTensorsBackward0",
    "embedding_sparse_backward(grad, indices, num_weights, padding_idx)", inplace=False,
    grad="embedding_double_backward(to_sparse_backward(g), indices, padding_idx)",
    says="the rows of a table that were used, as a sparse tensor", sparse=True,
)
