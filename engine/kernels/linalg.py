"""Products of matrices and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.sparse import matrix_product, sparse_addmm_kernel, vector_product
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo
from engine.types.shapes import Shape, expandable, expanded, wrap_dim


def _type_name(a: Any) -> str:
    return dtypes.of(a.dtype).type_name


def _plus(out: Any, self: Any, beta: Any, alpha: Any) -> Any:
    """`beta * self + alpha * out`, in the memory of `out`. A zero beta hides even NaN."""
    if alpha != 1 or beta != 1:
        alpha, beta = [v if v == 1 else dtypes.cast_number(v, out.dtype, scalar=True) for v in (alpha, beta)]
        if alpha != 1:
            out *= alpha
        if beta == 0:
            return out
    if self.shape != out.shape[out.ndim - self.ndim :]:
        expanded(self.shape, out.shape)
    out += self if beta == 1 else self * beta
    return out


def _extent(a: Any, dim: int) -> int:
    """`a.size(dim)`."""
    if not a.ndim:
        raise errors.dim_of_no_dims(dim)
    return int(a.shape[wrap_dim(dim, a.ndim)])


def charge_product(rows: int, inner: int, columns: int, dtype: Any) -> None:
    meter.product(rows, inner, columns, dtype)
    if rows * columns > 1 << 11:
        meter.charge(rows * columns >> 11)  # to write them, where each is the sum of a few products
    if rows * columns > 1 << 16:
        meter.reserve(rows * columns, dtype.itemsize)


_BATCH, PACKED = 64, 1200
"""Rows of a small batch, and how many elements a product with a transposed weight has from which on BLAS packs the
weight each time."""


def product(a: Any, b: Any) -> Any:
    """`a @ b`. A small batch times a transposed weight is faster with the weight on the left; the bits are the same."""
    rows, inner = a.shape
    columns = b.shape[1]
    charge_product(rows, inner, columns, a.dtype)
    small = 1 < rows <= _BATCH and columns >= 2 * rows and rows * columns > PACKED
    if small and inner >= 4 * rows and b.flags.f_contiguous and a.flags.c_contiguous:
        return np.ascontiguousarray(b.T.dot(a.T).T)
    return _sums(a, b)


def _sums(a: Any, b: Any) -> Any:
    """`a @ b` by BLAS, or where there is one product to each sum, without a sum: there PyTorch keeps minus zero."""
    if a.shape[1] != 1:
        return a.dot(b)
    products = np.multiply(a, b, order="C")
    return products if len(a) > 1 and b.shape[1] > 1 else products + products.dtype.type(0)


@kernel
def mm_kernel(self: Any, mat2: Any) -> Any:
    if type(self) is Coo or type(mat2) is Coo:
        return matrix_product(self, mat2)
    if self.ndim != 2:
        raise errors.not_a_matrix("self")
    if mat2.ndim != 2:
        raise errors.not_a_matrix("mat2")
    if self.shape[1] != mat2.shape[0]:
        raise errors.mm_shapes(self.shape, mat2.shape)
    if self.dtype != mat2.dtype:
        raise errors.mm_dtypes(dtypes.of(self.dtype).cpp_name, dtypes.of(mat2.dtype).cpp_name)
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("addmm_impl_cpu_", "Bool")
    return product(self, mat2)


@kernel
def addmm_kernel(self: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    if type(mat1) is Coo:
        return sparse_addmm_kernel(self, mat1, mat2, beta, alpha)
    if self.dtype != mat2.dtype:
        raise errors.addmm_dtypes(_type_name(self), _type_name(mat2))
    if mat1.dtype != mat2.dtype:
        raise errors.addmm_factors(_type_name(mat1), _type_name(mat2))
    if mat1.ndim != 2:
        raise errors.not_a_matrix_but("mat1", mat1.ndim)
    if mat2.ndim != 2:
        raise errors.not_a_matrix_but("mat2", mat2.ndim)
    if mat1.shape[1] != mat2.shape[0]:
        raise errors.mm_shapes(mat1.shape, mat2.shape)
    if self.shape != mat2.shape[1:]:  # a bias always fits
        expanded(self.shape, (mat1.shape[0], mat2.shape[1]), dtypes.of(self.dtype).cpp_type)
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("addmm_impl_cpu_", "Bool")
    return _plus(product(mat1, mat2), self, beta, alpha)


def addmm_sizes(operands: dict[str, Any]) -> None:
    """Refuse a product that is to be written to a matrix of another size, which cannot be a summand either."""
    own, mat1, mat2 = operands["self"], operands["mat1"], operands["mat2"]
    if mat1.dtype == mat2.dtype == own.dtype and mat1.ndim == mat2.ndim == 2 and mat1.shape[1] == mat2.shape[0]:
        size = (mat1.shape[0], mat2.shape[1])
        if not expandable(own.shape, size):
            raise errors.inplace_sizes(own.shape, size)


def _check_batches(batch1: Any, batch2: Any) -> None:
    if batch1.ndim != 3:
        raise errors.not_a_batch("batch1")
    if batch2.ndim != 3:
        raise errors.not_a_batch("batch2")
    expected = (batch1.shape[0], batch1.shape[2])
    if batch2.shape[:2] != expected:
        raise errors.bmm_shapes(expected, batch2.shape)
    if batch1.dtype != batch2.dtype:
        raise errors.expected_scalar_type(_type_name(batch1), _type_name(batch2))


def _batched_product(a: Any, b: Any) -> None:
    """Check and charge the products of two batches of matrices."""
    meter.product(a.shape[1], a.shape[2], b.shape[2], a.dtype, len(a))
    meter.charge(len(a) >> 6)
    meter.reserve(len(a) * a.shape[1] * b.shape[2], a.itemsize)


@kernel
def bmm_kernel(self: Any, mat2: Any) -> Any:
    _check_batches(self, mat2)
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("bmm", "Bool")
    _batched_product(self, mat2)
    return self @ mat2


@kernel
def baddbmm_kernel(self: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    shape = (_extent(batch1, 0), _extent(batch1, 1), _extent(batch2, 2))
    expanded(self.shape, shape, dtypes.of(self.dtype).cpp_type)
    if self.dtype != batch1.dtype:
        raise errors.baddbmm_dtypes(*[dtypes.of(x.dtype).cpp_name for x in (self, batch1, batch2)])
    if batch1.dtype != batch2.dtype:
        raise errors.expected_scalar_type(_type_name(batch1), _type_name(batch2))
    _check_batches(batch1, batch2)
    _batched_product(batch1, batch2)
    return _plus(batch1 @ batch2, self, beta, alpha)


@kernel
def addbmm_kernel(self: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    _extent(batch1, 0)
    expanded(self.shape, (_extent(batch1, 1), _extent(batch2, 2)), dtypes.of(self.dtype).cpp_type)
    for name, batch in (("batch1", batch1), ("batch2", batch2)):
        if batch.ndim != 3:
            raise errors.not_a_batch(name)
    if len(batch1) != len(batch2):
        raise errors.addbmm_batches(len(batch1), len(batch2))
    if batch1.shape[2] != batch2.shape[1]:
        raise errors.addbmm_shapes(batch1.shape[1:], batch2.shape[1:])
    if self.dtype != batch2.dtype:
        raise errors.addmm_dtypes(_type_name(self), _type_name(batch2))
    if batch1.dtype != batch2.dtype:
        raise errors.addmm_factors(_type_name(batch1), _type_name(batch2))
    out = np.tensordot(batch1, batch2, axes=((0, 2), (0, 1)))
    return _plus(out, self, beta, alpha)


@kernel
def mv_kernel(self: Any, vec: Any) -> Any:
    if type(self) is Coo and self.ndim == vec.ndim + 1 == 2:
        return vector_product(self, vec)
    if not self.ndim:
        raise errors.dim_of_no_dims(0)
    if self.ndim != 2 or vec.ndim != 1:
        raise errors.mv_dimensions(1, self.ndim, vec.ndim)
    if self.shape[1] != vec.shape[0]:
        raise errors.mv_shapes(self.shape[0], self.shape, vec.shape[0])
    if self.dtype != vec.dtype:
        raise errors.mv_dtypes(_type_name(vec), _type_name(self), _type_name(vec))
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("addmv_impl_cpu", "Bool")
    charge_product(self.shape[0], self.shape[1], 1, self.dtype)
    return self @ vec


@kernel
def addmv_kernel(self: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    if mat.ndim != 2 or vec.ndim != 1 or self.ndim > 1:
        raise errors.mv_dimensions(self.ndim, mat.ndim, vec.ndim)
    if mat.shape[1] != vec.shape[0] or self.shape not in ((), (1,), (mat.shape[0],)):
        raise errors.mv_shapes(self.size, mat.shape, vec.shape[0])
    if not self.dtype == mat.dtype == vec.dtype:
        raise errors.mv_dtypes(_type_name(self), _type_name(mat), _type_name(vec))
    charge_product(mat.shape[0], mat.shape[1], 1, mat.dtype)
    return _plus(mat @ vec, self, beta, alpha)


@kernel
def addr_kernel(self: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    for name, vector in (("vec1", vec1), ("vec2", vec2)):
        if vector.ndim != 1:
            raise errors.vector_expected("addr", name, vector.ndim)
    self, vec1, vec2 = dtypes.promote_all(self, vec1, vec2)
    for factor in (alpha, beta):
        if self.dtype.kind in "iu" and not isinstance(factor, int):
            raise errors.alpha_kind("floating point", "integral")
    return _plus(np.multiply.outer(vec1, vec2), self, beta, alpha)


def addr_sizes(operands: dict[str, Any]) -> None:
    """Refuse a product of vectors that is to be written to a tensor of another size."""
    own, vec1, vec2 = operands["self"].shape, operands["vec1"].shape, operands["vec2"].shape
    if len(vec1) == len(vec2) == 1 and own != (*vec1, *vec2):
        raise errors.addr_sizes(own, vec1, vec2) if len(own) == 2 else errors.addr_dimensions(len(own))


def _check_dot(self: Any, other: Any) -> None:
    if self.ndim != 1 or other.ndim != 1:
        raise errors.dot_dimensions(self.ndim, other.ndim)
    if self.dtype != other.dtype:
        raise errors.dot_dtypes(_type_name(self), _type_name(other))
    if self.size != other.size:
        raise errors.dot_sizes(self.size, other.size)
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("dot", "Bool")


@kernel
def dot_kernel(self: Any, tensor: Any) -> Any:
    _check_dot(self, tensor)
    return np.dot(self, tensor) if self.size != 1 else self[0] * tensor[0] + self.dtype.type(0)


@kernel
def vdot_kernel(self: Any, other: Any) -> Any:
    _check_dot(self, other)
    return np.vdot(self, other)


@kernel
def trace_kernel(self: Any) -> Any:
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("trace", "Bool")
    if self.ndim != 2:
        raise errors.trace_dimensions(self.ndim)
    return self.trace(dtype=np.int64 if self.dtype.kind in "iub" else None)


@kernel
def cross_kernel(self: Any, other: Any, dim: int) -> Any:
    if self.ndim != other.ndim:
        raise errors.cross_dimensions()
    wrap_dim(dim, self.ndim)
    if self.shape[dim] != 3 or other.shape[dim] != 3:
        raise errors.cross_sizes(dim, self.shape[dim], other.shape[dim])
    if self.dtype.kind == "b":
        raise errors.not_implemented_for("cross", "Bool")
    return np.ascontiguousarray(np.cross(self, other, axis=dim))


@kernel
def trilinear_kernel(i1: Any, i2: Any, i3: Any, expand1: Shape, expand2: Shape, expand3: Shape, sumdim: Shape) -> Any:
    """The product of three tensors, each without its `expand` dimensions, summed over `sumdim`."""
    ndim = i1.ndim + len(expand1)
    labels = [[d for d in range(ndim) if d not in absent] for absent in (expand1, expand2, expand3, sumdim)]
    return np.einsum(i1, labels[0], i2, labels[1], i3, labels[2], labels[3], optimize=True)


def is_column_major(shape: Shape, strides: Shape, itemsize: int) -> bool:
    return strides[0] == itemsize and strides[1] == itemsize * shape[0]


def mm_gradient_first(g: Any, mat2: Any, shape: Shape, strides: Shape) -> Any:
    """`mm_grad_first` of arrays, which need no more checks."""
    if type(g) is Coo or type(mat2) is Coo:
        return matrix_product(g, mat2.T)
    charge_product(g.shape[0], g.shape[1], len(mat2), g.dtype)
    return _sums(mat2, g.T).T if is_column_major(shape, strides, g.itemsize) else _sums(g, mat2.T)


def mm_gradient_second(g: Any, mat1: Any, shape: Shape, strides: Shape) -> Any:
    """`mm_grad_second` of arrays."""
    if type(g) is Coo or type(mat1) is Coo:
        return matrix_product(mat1.T, g)
    charge_product(mat1.shape[1], g.shape[0], g.shape[1], g.dtype)
    return _sums(g.T, mat1).T if is_column_major(shape, strides, g.itemsize) else _sums(mat1.T, g)
