"""Sparse tensors: made, made dense, multiplied, summed and normalised along a dimension."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.scatter_add import add_rows
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo
from engine.types.shapes import wrap_dim

_BLOCK = 1 << 18
"""Products that are computed at a time."""


@kernel
def coo_kernel(indices: Any, values: Any, size: tuple[int, ...], is_coalesced: bool = False) -> Any:
    """A sparse tensor of coordinates and values, which it copies."""
    sparse, dense = len(indices), values.ndim - 1
    if len(size) != sparse + dense:
        raise errors.coo_rank(len(size), sparse, dense)
    count = indices.shape[1]
    if count != len(values):
        raise errors.coo_count(count, len(values))
    if values.shape[1:] != size[sparse:]:
        raise errors.coo_values((count, *size[sparse:]), values.shape)
    meter.allocate(indices.size + values.size, 8)
    meter.charge(indices.size >> 9)
    if count:
        for dim, (row, extent) in enumerate(zip(indices, size, strict=False)):
            if row.min() < 0:
                raise errors.coo_negative_index(int(row.min()), dim)
            if row.max() >= extent:
                raise errors.coo_index_outside(dim, extent, int(row.max()))
    return Coo(indices.astype(np.int64, order="C"), np.array(values, order="C"), size, is_coalesced or count < 2)


@kernel
def sparse_constructor_values_backward(g: Any, indices: Any) -> Any:
    """What a gradient has at places: of a sparse one, zero where it names none."""
    if type(g) is not Coo:
        meter.allocate(indices.shape[1] * math.prod(g.shape[len(indices) :]), g.itemsize)
        meter.charge(indices.size >> 8)
        return g[tuple(indices)]
    whole = g.coalesce()
    places = Coo(indices, np.zeros((indices.shape[1], *g.values.shape[1:]), g.dtype), g.shape)
    if not whole.count:
        return places.values
    at, there = places.found_in(whole)
    values = whole.values[at]
    values[~there] = 0
    return values


@kernel
def to_dense_kernel(a: Any) -> Any:
    return a.dense()


@kernel
def masked_kernel(g: Any, mask: Any) -> Any:
    """The elements of `g` at the places that `mask` names."""
    if g.shape != mask.shape:
        raise errors.sparse_mask_sizes(g.shape, mask.shape)
    if type(g) is Coo:
        return mask.like(sparse_constructor_values_backward(g, mask.indices))
    return mask.like(mask.at(g))


def masked_product(g: Any, a: Any, threshold: float) -> Any:
    """`g` where a sparse `a` is above a threshold of 0."""
    if type(a) is not Coo or threshold != 0:
        raise errors.sparse_unavailable()
    return g * a.like((a.values > threshold).astype(g.dtype))


@kernel
def coalesced_kernel(a: Any) -> Any:
    return a.coalesce()


@kernel
def to_sparse_kernel(a: Any, sparse_dim: int) -> Any:
    """The elements that are not zero, or slices that are not all zero."""
    inner = tuple(range(sparse_dim, a.ndim))
    meter.charge(a.size >> 7)
    indices = np.stack(np.nonzero((a != 0).any(inner) if inner else a))
    meter.allocate(indices.size, 8)
    return Coo(indices, np.ascontiguousarray(a[tuple(indices)]), a.shape, True)


@kernel
def to_sparse_backward(g: Any) -> Any:
    """The gradient of a tensor that was made sparse."""
    return g.dense() if type(g) is Coo else g


@kernel
def values_kernel(a: Any) -> Any:
    return unwritten(a.values)


def unwritten(a: Any) -> Any:
    """An array as tensors may show it that must not write to it."""
    view = a.view()
    view.flags.writeable = False
    return view


@kernel
def values_backward(g: Any, a: Any) -> Any:
    return a.like(g)


def matrix_product(a: Any, b: Any) -> Any:
    """A product of matrices of which at least one is sparse."""
    if type(a) is Coo and a.ndim == b.ndim == 2 and a.shape[1] != b.shape[0]:
        raise errors.sparse_mm_size(a.shape[1], b.shape[0])
    for x in (a, b):
        if x.ndim != 2 or type(x) is Coo and x.sparse_dim != 2:
            raise errors.sparse_unavailable("a product of these dimensions")
    if a.shape[1] != b.shape[0]:
        raise errors.mm_shapes(a.shape, b.shape)
    if a.dtype != b.dtype:
        raise errors.expected_scalar_type(dtypes.of(a.dtype).type_name, dtypes.of(b.dtype).type_name)
    if a.dtype.kind == "b":
        raise errors.sparse_unavailable("a product of bools")
    if type(a) is not Coo:
        return np.ascontiguousarray(_rows(b.T, a.T).T)
    return _both(a, b) if type(b) is Coo else _rows(a, b)


def _rows(a: Coo, b: Any) -> Any:
    """sparse @ dense: every value adds a multiple of a row, one after the other."""
    columns = b.shape[1]
    meter.allocate(a.shape[0] * columns, b.itemsize)
    meter.charge((a.count * columns >> 8) + (a.count >> 7))
    out = np.zeros((a.shape[0], columns), b.dtype)
    step = max(_BLOCK // max(columns, 1), 1)
    for start in range(0, a.count, step):
        rows, inner = a.indices[:, start : start + step]
        add_rows(out, rows, a.values[start : start + step, None] * b[inner])
    return out


def _both(a: Coo, b: Coo) -> Coo:
    """sparse @ sparse."""
    errors.warn_sparse_csr()
    meter.charge(16)
    a, b = a.coalesce(), b.coalesce()
    a.charge(50)
    rows, inner = a.indices
    first = np.searchsorted(b.indices[0], inner, "left")
    many = np.searchsorted(b.indices[0], inner, "right") - first
    pairs = int(many.sum())
    meter.allocate(4 * pairs, 8)
    meter.charge(pairs >> 5)
    left = np.repeat(np.arange(a.count), many)
    right = np.arange(pairs) - np.repeat(np.cumsum(many) - many, many) + np.repeat(first, many)
    indices = np.stack([rows[left], b.indices[1][right]])
    return Coo(indices, a.values[left] * b.values[right], (a.shape[0], b.shape[1])).coalesce()


def vector_product(a: Coo, vector: Any) -> Any:
    """sparse @ vector."""
    if a.shape[1] != vector.shape[0]:
        raise errors.sparse_mv_size()
    return matrix_product(a, vector[:, None])[:, 0]


@kernel
def sparse_addmm_kernel(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    """`beta * self + alpha * (mat1 @ mat2)`."""
    out = matrix_product(mat1, mat2)
    if alpha != 1:
        out = out * out.dtype.type(alpha)
    if beta == 0 or self is None:
        return out
    added = self if beta == 1 else self * self.dtype.type(beta)
    if type(out) is Coo:
        return out + added
    return out + np.broadcast_to(added, out.shape)


@kernel
def mm_mat1_sparse_backward(g: Any, mat2: Any, mat1: Any, alpha: Any) -> Any:
    """`alpha * g @ mat2.T` at the places of `mat1`, coalesced, and nowhere else."""
    if type(mat1) is not Coo:
        out = matrix_product(g, mat2.T)
        return out if alpha == 1 else out * out.dtype.type(alpha)
    places = mat1.coalesce()
    width = g.shape[1]
    places.charge(20)
    meter.charge(places.count * width >> 10)
    values = np.empty(places.count, g.dtype)
    step = max(_BLOCK // max(width, 1), 1)
    for start in range(0, places.count, step):
        rows, columns = places.indices[:, start : start + step]
        values[start : start + step] = np.einsum("ij,ij->i", g[rows], mat2[columns])
    return places.like(values if alpha == 1 else values * values.dtype.type(alpha))


@kernel
def mm_mat2_sparse_backward(g: Any, mat1: Any, alpha: Any) -> Any:
    """`alpha * mat1.T @ g`."""
    out = matrix_product(mat1.T, g) if type(mat1) is Coo or type(g) is Coo else mat1.T @ g
    return out if alpha == 1 else out * out.dtype.type(alpha)


@kernel
def sparse_product(a: Any, b: Any) -> Any:
    return matrix_product(a, b)


@kernel
def sparse_sparse_matmul_backward(first: Any, second: Any, places: Any, last: bool) -> Any:
    """The gradient of a factor: the product of two, of which the last, or else the first, is transposed; zero where
    `places` names nothing."""
    product = matrix_product(first, second.T) if last else matrix_product(first.T, second)
    _, there = product.found_in(places.coalesce())
    return product.like(np.where(there, product.values, product.dtype.type(0)))


@kernel
def sparse_sum_kernel(a: Any, dim: Any, keepdim: bool = False) -> Any:
    """The sum over `dim`: sparse where a sparse dimension is left."""
    if type(a) is not Coo:
        raise errors.coalesce_layout()
    whole = a.coalesce()
    sparse = whole.sparse_dim
    dims = _dims(dim, a.ndim)
    whole.charge(10)
    values = whole.values
    inner = tuple([d - sparse + 1 for d in dims if d >= sparse])
    if inner:
        values = values.sum(inner)
    left = [d for d in range(sparse) if d not in dims]
    shape = tuple([extent for d, extent in enumerate(a.shape) if d not in dims])
    if keepdim:
        if not left or inner:
            raise errors.sparse_unavailable("a sum that keeps these dimensions")
        indices = whole.indices.copy()
        indices[[d for d in range(sparse) if d in dims]] = 0
        kept = tuple([1 if d in dims else extent for d, extent in enumerate(a.shape)])
        return Coo(indices, values, kept).coalesce()
    if not left:
        return values.sum(0)
    if len(left) == sparse:
        return Coo(whole.indices, values, shape, True)
    return Coo(np.ascontiguousarray(whole.indices[left]), values, shape).coalesce()


def _dims(dim: Any, ndim: int) -> frozenset[int]:
    wrapped = [wrap_dim(d, ndim) for d in (dim if isinstance(dim, tuple | list | range) else (dim,))]
    for place, d in enumerate(wrapped):
        if d in wrapped[:place]:
            raise errors.repeated_dim(d)
    return frozenset(wrapped)


@kernel
def sparse_sum_backward(g: Any, a: Any, dim: tuple[int, ...]) -> Any:
    """Every value gets the gradient of the sum that it is in."""
    whole = a.coalesce()
    sparse = whole.sparse_dim
    dims = _dims(dim, a.ndim)
    left = [d for d in range(sparse) if d not in dims]
    inner = tuple([d - sparse + 1 for d in sorted(dims) if d >= sparse])
    whole.charge(10)
    if left:
        g = sparse_constructor_values_backward(g, whole.indices[left])
    else:
        g = np.asarray(g)[None]
    for axis in inner:
        g = np.expand_dims(g, axis)
    return whole.like(np.broadcast_to(g, whole.values.shape).copy())


def _groups(a: Coo, dim: int) -> tuple[Any, int]:
    """Which values share all coordinates but that of `dim`: a number for each value, and how many numbers there are."""
    flat = np.zeros(a.count, np.int64)
    for d, (row, extent) in enumerate(zip(a.indices, a.shape, strict=False)):
        if d != dim:
            flat = flat * extent + row
    found, group = np.unique(flat, return_inverse=True)
    return group, found.size


@kernel
def sparse_softmax_kernel(a: Any, dim: int, log: bool) -> Any:
    """The softmax along `dim` of the values that there are; what is not named counts as minus infinity."""
    if type(a) is not Coo:
        raise errors.sparse_unavailable("the softmax of a dense tensor")
    dim = wrap_dim(dim, a.ndim)
    whole = a.coalesce()
    whole.charge(300)
    values = whole.values
    dtypes.expect(values, "softmax", dtypes.FLOATING)
    if dim >= whole.sparse_dim:
        axis = dim - whole.sparse_dim + 1
        shifted = values - values.max(axis, keepdims=True)
        total = np.exp(shifted).sum(axis, keepdims=True)
        return whole.like(shifted - np.log(total) if log else np.exp(shifted) / total)
    group, count = _groups(whole, dim)
    most = np.full((count, *values.shape[1:]), -np.inf, values.dtype)
    np.maximum.at(most, group, values)
    shifted = values - most[group]
    powers = np.exp(shifted)
    total = np.zeros(most.shape, values.dtype)
    np.add.at(total, group, powers)
    return whole.like(shifted - np.log(total)[group] if log else powers / total[group])


@kernel
def sparse_softmax_backward(g: Any, result: Any, dim: int, log: bool) -> Any:
    dim = wrap_dim(dim, result.ndim)
    result.charge(300)
    values = result.values
    received = sparse_constructor_values_backward(g, result.indices)
    weighed = received if log else received * values
    if dim >= result.sparse_dim:
        total = weighed.sum(dim - result.sparse_dim + 1, keepdims=True)
    else:
        group, count = _groups(result, dim)
        sums = np.zeros((count, *values.shape[1:]), values.dtype)
        np.add.at(sums, group, weighed)
        total = sums[group]
    return result.like(received - np.exp(values) * total if log else values * (received - total))


@kernel
def embedding_sparse_backward(g: Any, indices: Any, num_weights: int, padding_idx: int) -> Any:
    """The rows that were used, as often as they were, with the gradient of each."""
    flat, rows = indices.reshape(-1), g.reshape(-1, g.shape[-1])
    meter.charge(flat.size >> 9)
    if padding_idx >= 0:
        kept = flat != padding_idx
        meter.allocate(rows.size, rows.itemsize)
        flat, rows = flat[kept], rows[kept]
    return Coo(flat.astype(np.int64)[None], rows, (num_weights, g.shape[-1]))
