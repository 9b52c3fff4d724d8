"""Sparse tensors as users make and read them: `torch.sparse_coo_tensor`, `torch.sparse`, methods of Tensor.

A tensor is sparse where its value is a `Coo` (`engine/types/coo.py`) in place of an array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import SPARSE, public
from engine.composites.creation import check_device, numpy_dtype
from engine.composites.from_python import from_data
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, TensorMeta, constant
from engine.kernels.sparse import coo_kernel, unwritten
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.coo import Coo, empty
from engine.types.shapes import integer, is_index, sizes


def created(value: Coo, requires_grad: bool = False) -> Tensor:
    """A sparse leaf of a value, of which the observer hears."""
    t = constant(value)
    if requires_grad:
        if value.dtype.kind not in dtypes.FLOATING:
            raise errors.integer_requires_grad()
        t._requires_grad = True
    if state.watched and state.observer is not None:
        state.observer.create(t)
    return t


def _plain(data: Any, dtype: Any = None) -> Any:
    return data._array if isinstance(data, Tensor) else from_data(data, dtype)


def _is_size(value: Any) -> bool:
    return isinstance(value, tuple | list) and bool(value) and all(is_index(extent) for extent in value)


@public("torch")
def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Any = None,
    *,
    dtype: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:
    """A sparse tensor of coordinates (sparse dimensions, count) and values (count, *dense dimensions)."""
    if device is not None:
        check_device(device)
    if check_invariants is None:
        errors.warn_sparse_invariants()
    kind = numpy_dtype(dtype, "sparse_coo_tensor")
    if values is None:
        shape = size if size is not None else indices
        if not _is_size(shape) or size is not None and indices is not None:
            raise errors.missing_positional("sparse_coo_tensor", "values")
        shape = sizes((shape,))
        if any(extent < 0 for extent in shape):
            raise errors.negative_dimension(min(shape), shape)
        return created(empty(shape, kind or dtypes.get_default().np), bool(requires_grad))
    given = isinstance(values, Tensor) and values.requires_grad and not requires_grad
    places = np.asarray(_plain(indices))
    if places.ndim != 2:
        raise errors.coo_index_rank(places.shape)
    places = places.astype(np.int64)
    array = np.asarray(_plain(values, kind))
    if not array.ndim:
        array = array.reshape(1)
        given = False
    if size is None:
        shape = (*_extents(places), *array.shape[1:])
    else:
        shape = sizes((size,))
        if any(extent < 0 for extent in shape):
            raise errors.numel_overflow()
    if kind is not None and array.dtype != kind:
        array = array.astype(kind)
        if given:
            values = values.to(dtype)
    if given:
        return ops._sparse_coo_tensor_with_dims_and_tensors(constant(places), values, shape, bool(is_coalesced))
    return created(coo_kernel(places, array, shape, bool(is_coalesced)), bool(requires_grad))


def _extents(places: Any) -> tuple[int, ...]:
    """The smallest shape that has all places."""
    if not places.shape[1]:
        return (0,) * len(places)
    for dim, least in enumerate(places.min(1).tolist()):
        if least < 0:
            raise errors.coo_negative_index(least, dim)
    return tuple([most + 1 for most in places.max(1).tolist()])


def _of_coo(name: str, function: Callable[[Tensor], Any], layout: str = "sparse coordinate") -> None:
    """Publish a method of sparse tensors, which refuses others."""

    @public("method", name, doc=function.__doc__ or "")
    def method(self: Tensor) -> Any:
        if type(self._array) is not Coo:
            raise errors.sparse_only(name) if name[0] == "_" else errors.sparse_expected(name, layout)
        return function(self)


def _coalesce(self: Tensor) -> Tensor:
    """Every place once, in order."""
    return self if self._array.coalesced else ops._coalesce(self)


def _indices_of_coalesced(self: Tensor) -> Tensor:
    """The coordinates (sparse dimensions, count)."""
    if not self._array.coalesced:
        raise errors.uncoalesced("indices")
    return _indices(self)


def _values_of_coalesced(self: Tensor) -> Tensor:
    """The values (count, *dense dimensions)."""
    if not self._array.coalesced:
        raise errors.uncoalesced("values")
    return ops.values(self)


def _indices(self: Tensor) -> Tensor:
    """The coordinates, in whatever order."""
    return Tensor._from_array(unwritten(self._array.indices))


def _values(self: Tensor) -> Tensor:
    """The values, outside the graph."""
    return Tensor._from_array(unwritten(self._array.values))


_of_coo("coalesce", _coalesce)
_of_coo("is_coalesced", lambda self: self._array.coalesced)
_of_coo("indices", _indices_of_coalesced)
_of_coo("values", _values_of_coalesced, "sparse")
_of_coo("_indices", _indices)
_of_coo("_values", _values)
_of_coo("_nnz", lambda self: self._array.count)


@public("method")
def sparse_dim(self: Tensor) -> int:
    """How many dimensions are sparse."""
    return self._array.sparse_dim if self.is_sparse else 0


@public("method")
def dense_dim(self: Tensor) -> int:
    """How many dimensions are dense."""
    return self.ndim - sparse_dim(self)


@public("method")
def to_dense(self: Tensor, dtype: Any = None, *, masked_grad: Any = None) -> Any:
    """The tensor with all its zeros, in another dtype if one is given; itself where it is dense."""
    if not self.is_sparse:
        return self if dtype is None else self.to(dtype)
    if dtype is not None:
        raise errors.to_dense_dtype()
    if masked_grad is False:
        raise errors.sparse_unavailable("to_dense(masked_grad=False)")
    return ops._to_dense(self)


@public("method")
def to_sparse(
    self: Tensor, sparse_dim: Any = None, *, layout: Any = None, blocksize: Any = None, dense_dim: Any = None
) -> Any:
    """The elements that are not zero, with their coordinates."""
    if isinstance(sparse_dim, dtypes.layout):
        sparse_dim, layout = None, sparse_dim
    if layout not in (None, dtypes.sparse_coo) or blocksize is not None or dense_dim is not None:
        raise errors.sparse_layout("strided" if layout is dtypes.strided else "compressed sparse")
    if self.is_sparse:
        if sparse_dim is not None and sparse_dim != self._array.sparse_dim:
            raise errors.sparse_unavailable("to_sparse")
        return self
    if not self.ndim:
        raise errors.sparse_unavailable("a tensor without dimensions")
    if sparse_dim is None:
        return ops._to_sparse(self)
    sparse_dim = integer(sparse_dim)
    if not 0 <= sparse_dim <= self.ndim:
        raise errors.to_sparse_dims(self.ndim, sparse_dim)
    if not sparse_dim:
        raise errors.to_sparse_no_dims()
    return ops._to_sparse_sparse_dim(self, sparse_dim)


@public("method")
def to_sparse_coo(self: Tensor) -> Any:
    """`to_sparse`."""
    return to_sparse(self)


def _compressed(name: str) -> None:
    @public("method", f"to_{name}", doc="Refused: there are no such tensors.")
    def refused(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        raise errors.sparse_layout(name)


for _layout in ("sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"):
    _compressed(_layout)


@public("method")
def sparse_mask(self: Tensor, mask: Tensor) -> Any:
    """The elements at the places that a sparse `mask` names."""
    if not mask.is_sparse:
        raise errors.sparse_unavailable("a mask that is dense")
    return ops.sparse_mask(self, mask)


def _tensors(function: str, **operands: Any) -> None:
    for position, (name, value) in enumerate(operands.items(), 1):
        if not isinstance(value, Tensor):
            raise errors.argument_type(function, name, position, "Tensor", value)


@public("sparse")
def mm(mat1: Tensor, mat2: Tensor) -> Any:
    """A product of matrices, one of which may be sparse; its gradient is sparse, too."""
    _tensors("_sparse_mm", sparse=mat1, dense=mat2)
    if mat1.is_sparse and mat2.is_sparse:
        return ops._sparse_sparse_matmul(mat1, mat2)
    if mat1.is_sparse or mat2.is_sparse:
        if mat2.ndim < 2:
            raise errors.dim_out_of_range(1, mat2.ndim)
        return _sparse_mm(mat1, mat2)
    return ops.mm(mat1, mat2)


def _sparse_mm(mat1: Tensor, mat2: Tensor) -> Any:
    zeros = constant(np.zeros((), mat1._array.dtype)[()])
    return ops._sparse_addmm(zeros, mat1, mat2, beta=0, alpha=1)


@public("sparse")
def addmm(mat: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1.0, alpha: Any = 1.0) -> Any:
    """`beta * mat + alpha * (mat1 @ mat2)` with a sparse `mat1`."""
    _tensors("_sparse_addmm", mat=mat, mat1=mat1, mat2=mat2)
    return ops._sparse_addmm(mat, mat1, mat2, beta=beta, alpha=alpha)


@public("sparse", "sum")
def sum_(input: Tensor, dim: Any = None, dtype: Any = None) -> Any:
    """The sum of all values, or along dimensions: sparse where a sparse dimension is left."""
    _tensors("_sparse_sum", input=input)
    if not input.is_sparse:
        raise errors.coalesce_layout()
    if dim is None:
        return input.coalesce().values().sum(dtype=dtype)
    if dtype is not None:
        input = input.to(dtype)
    return ops._sparse_sum_dim(input, sizes((dim,)))


def _along(name: str) -> None:
    row = getattr(ops, f"_sparse_{name}")

    @public("sparse", name, doc=f"`{name}` along a dimension, of the values that there are.")
    def function(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
        _tensors(f"_sparse_{name}", input=input)
        return row(input if dtype is None else input.to(dtype), integer(dim))


_along("softmax")
_along("log_softmax")


@public("torch")
def spmm(input: Tensor, mat2: Tensor) -> Any:
    """`torch.mm`, in its old name for sparse matrices."""
    return ops.mm(input, mat2)


class SparseType(TensorMeta):
    """The type of `torch.sparse.FloatTensor`: calling it makes a tensor, `isinstance` asks for layout and dtype."""

    dtype: dtypes.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if kwargs or not all(isinstance(value, Tensor) for value in args[:2]):
            if not kwargs and args and (len(args) == 1 and _is_size(args[0]) or all(is_index(n) for n in args)):
                return created(empty(sizes(args), cls.dtype.np))
            check("torch.sparse", cls.__name__, args, kwargs)
            raise errors.sparse_unavailable("this call")
        errors.warn_sparse_legacy()
        indices, values = args[:2]
        return sparse_coo_tensor(indices, values, args[2] if len(args) > 2 else None, check_invariants=False)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.is_sparse and instance._array.dtype == cls.dtype.np

    def __repr__(cls) -> str:
        return f"<class 'torch.sparse.{cls.__name__}'>"


SparseType.__name__ = SparseType.__qualname__ = "tensortype"
SparseType.__module__ = "torch"

for _dtype in dtypes.ALL:
    if _dtype.available and _dtype.type_name in "Byte Char Double Float Half Int Long Short".split():
        _name = f"{_dtype.type_name}Tensor"
        SPARSE[_name] = SparseType(_name, (), {"dtype": _dtype, "__module__": "torch.sparse"})
