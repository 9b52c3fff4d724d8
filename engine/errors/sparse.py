"""Sparse tensors: what they are made of, and what PyTorch does not do with them."""

from __future__ import annotations

from collections.abc import Sequence


def sparse_unavailable(what: str = "this operation") -> NotImplementedError:
    """PyTorch may have it; it is not among what Backlight does with sparse tensors."""
    return NotImplementedError(
        f"{what} is not available for sparse tensors in Backlight yet; call it on x.to_dense()"
    )


def sparse_dimensions(count: int) -> NotImplementedError:
    return NotImplementedError(f"a sparse tensor of {count} dimensions cannot be held here: 64 are the most")


def sparse_only(name: str) -> NotImplementedError:
    return NotImplementedError(f"Could not run 'aten::{name}' with arguments from the 'CPU' backend.")


def sparse_layout(layout: str) -> NotImplementedError:
    return NotImplementedError(f"{layout} tensors are not available in Backlight yet; sparse_coo is")


def sparse_write() -> NotImplementedError:
    return NotImplementedError(
        "the indices and values of a sparse tensor cannot be written to in Backlight; make a new sparse tensor of them"
    )


def coo_index_rank(shape: Sequence[int]) -> RuntimeError:
    return RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(shape)}")


def coo_count(indices: int, values: int) -> RuntimeError:
    return RuntimeError(
        f"indices and values must have same nnz, but got nnz from indices: {indices}, nnz from values: {values}"
    )


def coo_rank(size: int, sparse: int, dense: int) -> RuntimeError:
    return RuntimeError(
        f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {size}, sparse_dim = {sparse}, "
        f"dense_dim = {dense}"
    )


def coo_values(expected: Sequence[int], got: Sequence[int]) -> RuntimeError:
    return RuntimeError(f"values has incorrect size, expected {list(expected)}, got {list(got)}")


def coo_negative_index(index: int, dim: int) -> RuntimeError:
    return RuntimeError(f"found negative index {index} for dim {dim}")


def coo_index_outside(dim: int, size: int, index: int) -> RuntimeError:
    return RuntimeError(f"size is inconsistent with indices: for dim {dim}, size is {size} but found index {index}")


def numel_overflow() -> RuntimeError:
    return RuntimeError("numel: integer multiplication overflow")


def uncoalesced(what: str) -> RuntimeError:
    """`indices()` and `values()`."""
    return RuntimeError(f"Cannot get {what} on an uncoalesced tensor, please call .coalesce() first")


def add_sparse_dense() -> RuntimeError:
    return RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")


def add_sparse_sizes(first: Sequence[int], second: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"add: expected sizes of 'self' and 'other' to match, but {list(first)} != {list(second)}"
    )


def add_dense_sparse_sizes(dense: Sequence[int], sparse: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"add: expected 'self' and 'other' to have same size, but self has size {list(dense)} while other has size "
        f"{list(sparse)} (FYI: dense-sparse addition does not currently support broadcasting)"
    )


def mul_sparse_sizes() -> RuntimeError:
    return RuntimeError(
        "sparse_binary_op_intersection_cpu(): expects sparse inputs with equal dimensionality, number of sparse "
        "dimensions, and shape of sparse dimensions"
    )


def div_by_sparse(shape: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"Sparse division requires a scalar or zero-dim dense tensor divisor (got shape {list(shape)} for divisor)"
    )


def pow_sparse_zero() -> RuntimeError:
    return RuntimeError(
        "pow: cannot raise to zeroth power on sparse tensor; it would make the result tensor dense"
    )


def sparse_mm_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {expected}, got {got}")


def sparse_mv_size() -> RuntimeError:
    return RuntimeError("mv: expected self.size(-1) == vec.size(-1)")


def sparse_numpy() -> TypeError:
    return TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")


def sparse_no_storage() -> RuntimeError:
    return RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")


def sparse_storage() -> NotImplementedError:
    return NotImplementedError("Cannot access storage of SparseTensorImpl")


def sparse_assignment() -> TypeError:
    return TypeError("Cannot assign to a sparse tensor")


def sparse_nbytes() -> RuntimeError:
    return RuntimeError(
        "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes of "
        "the indices and values.  If you want the size of the  equivalent dense tensor, multiply numel() by "
        "element_size()"
    )


def to_sparse_dims(ndim: int, sparse_dim: int) -> RuntimeError:
    return RuntimeError(
        f"dense_to_sparse: sparse_dim argument must be in [0,{ndim}] range, but {sparse_dim} is given"
    )


def to_sparse_no_dims() -> RuntimeError:
    return RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")


def to_dense_dtype() -> RuntimeError:
    return RuntimeError("dtype argument is not supported by sparse_to_dense")


def sparse_mask_sizes(first: Sequence[int], mask: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"sparse_mask(): operands have incompatible sizes; self has size {list(first)} but mask has size {list(mask)}"
    )


def full_sparse() -> RuntimeError:
    return RuntimeError("full(...) is not implemented for sparse layout")


def sparse_by_frequency() -> RuntimeError:
    return RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")


def sparse_gradients_unsupported(optimizer: str) -> RuntimeError:
    instead = ", please consider SparseAdam instead" if optimizer == "Adam" else ""
    return RuntimeError(f"{optimizer} does not support sparse gradients{instead}")


def sparse_weight_decay() -> RuntimeError:
    return RuntimeError("weight_decay option is not compatible with sparse gradients")


def coalesce_layout() -> RuntimeError:
    return RuntimeError("coalesce expected sparse coordinate tensor layout but got Strided")
