"""The value of a sparse tensor: coordinates and what stands there, the rest is zero.

It takes the place of a numpy array in a tensor. Nothing writes to it, so that whoever keeps one keeps its numbers.
Arithmetic that keeps zeros zero is here; anything else that numpy is asked to do with it is refused, so no function
that does not know sparse tensors computes anything with one. What would take the memory of a dense tensor pays first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from engine import errors
from engine.limits import meter
from engine.types.bfloat16 import FLOATING

new = object.__new__

WHEN_MADE: list[Callable[[], None]] = []
"""Functions called when a sparse tensor is made."""

_MOST = 1 << 63
"""Elements that no tensor has: their number is an int64."""
_DIMENSIONS = 64
"""Maximum rank of numpy's arrays, which stand for sparse tensors in documents."""

KEEPING_ZERO = frozenset({
    np.abs, np.absolute, np.sign, np.sqrt, np.cbrt, np.square, np.sin, np.tan, np.tanh, np.sinh, np.arcsin, np.arctan,
    np.arcsinh, np.arctanh, np.expm1, np.log1p, np.floor, np.ceil, np.trunc, np.rint, np.isnan, np.isinf, np.deg2rad,
    np.rad2deg, np.signbit,
})  # fmt: skip
"""Functions of one number that give zero, or False, for zero."""


class Coo(NDArrayOperatorsMixin):
    """indices (sparse dimensions, count) int64 · values (count, *dense dimensions) · shape of the whole tensor ·
    coalesced: every place is named once, in order."""

    __slots__ = ("coalesced", "indices", "shape", "values")

    indices: Any
    values: Any
    shape: tuple[int, ...]
    coalesced: bool

    def __init__(self, indices: Any, values: Any, shape: tuple[int, ...], coalesced: bool = False) -> None:
        """Raises RuntimeError for more elements than an int64 counts, NotImplementedError for bfloat16 and complex
        numbers and where no dimension is sparse."""
        if not len(indices):
            raise errors.sparse_unavailable("no dimension")
        if len(shape) > _DIMENSIONS:
            raise errors.sparse_dimensions(len(shape))
        if values.dtype.char not in "efdbBhHiIlLqQ?":
            raise errors.sparse_unavailable("this dtype")
        if math.prod([extent or 1 for extent in shape]) >= _MOST:
            raise errors.numel_overflow()
        if values.size > 511:
            meter.charge(values.size >> 8)  # a document sums it up
        for tell in WHEN_MADE:
            tell()
        self.indices, self.values, self.shape = indices, values, shape
        self.coalesced = coalesced

    # What it says of itself

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def count(self) -> int:
        """Number of values."""
        return int(self.indices.shape[1])

    @property
    def sparse_dim(self) -> int:
        return int(self.indices.shape[0])

    @property
    def itemsize(self) -> int:
        return int(self.values.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        return int(self.indices.nbytes + self.values.nbytes)

    @property
    def base(self) -> None:
        """It shares memory with no array that is written to."""
        return None

    @property
    def strides(self) -> tuple[int, ...]:
        return (0,) * len(self.shape)

    @property
    def flat(self) -> Any:
        """The sparse coordinates as positions in a flattened tensor of them."""
        flat = np.zeros(self.count, np.int64)
        for row, extent in zip(self.indices, self.shape, strict=False):
            flat *= extent
            flat += row
        return flat

    # The same with something changed

    def like(self, values: Any, coalesced: bool | None = None) -> Coo:
        """Other values at the same places."""
        return Coo(self.indices, values, self.shape, self.coalesced if coalesced is None else coalesced)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Coo:
        self.charge(1)
        return self.like(self.values.astype(dtype))

    def copy(self, order: str = "C") -> Coo:
        self.charge(1)
        return self.like(np.array(self.values, order="C"))

    def transpose(self, *axes: Any) -> Coo:
        """Dimensions in another order; sparse and dense ones cannot change places."""
        order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        order = list(order) if order else list(range(self.ndim))[::-1]
        sparse = self.sparse_dim
        if any((axis < sparse) != (place < sparse) for place, axis in enumerate(order)):
            raise errors.sparse_unavailable("a transposition of sparse and dense dimensions")
        meter.allocate(self.indices.size, 8)
        values = self.values.transpose([0, *[axis - sparse + 1 for axis in order[sparse:]]])
        kept = order == sorted(order)
        indices = self.indices if kept else np.ascontiguousarray(self.indices[order[:sparse]])
        return Coo(indices, values, tuple([self.shape[axis] for axis in order]), self.coalesced and kept)

    def swapaxes(self, a: int, b: int) -> Coo:
        order = list(range(self.ndim))
        order[a], order[b] = order[b], order[a]
        return self.transpose(order)

    @property
    def T(self) -> Coo:
        return self.transpose()

    def charge(self, ns: int) -> None:
        """Pay for a look at every index and value, so many nanoseconds each, and for the memory of as many."""
        size = self.indices.size + self.values.size
        meter.allocate(size, 8)
        meter.charge(4 + (size * ns >> 12))

    def coalesce(self) -> Coo:
        """Every place once, in order; values of one place are added up in the order they have."""
        if self.coalesced:
            return self
        if self.count < 2:
            return self.like(self.values, coalesced=True)
        self.charge(120)
        flat = self.flat
        order = np.argsort(flat, kind="stable")
        flat = flat[order]
        first = np.empty(flat.size, np.bool_)
        first[0] = True
        np.not_equal(flat[1:], flat[:-1], out=first[1:])
        values = self.values[order]
        if not first.all():
            summed = np.zeros((int(first.sum()), *values.shape[1:]), values.dtype)
            np.add.at(summed, np.cumsum(first) - 1, values)
            values = summed
        return Coo(np.ascontiguousarray(self.indices[:, order[first]]), values, self.shape, True)

    def dense(self) -> Any:
        """The whole tensor. LimitExceeded where it is too large."""
        meter.allocate(self.size, self.itemsize)
        self.charge(50)
        out = np.zeros(self.shape, self.dtype)
        if self.coalesced:
            out[tuple(self.indices)] = self.values
        else:
            np.add.at(out, tuple(self.indices), self.values)
        return out

    def added_to(self, dense: Any) -> None:
        """Add it to an array of its shape, in place."""
        self.charge(50)
        np.add.at(dense, tuple(self.indices), self.values.astype(dense.dtype, copy=False))

    def at(self, dense: Any) -> Any:
        """The elements of an array of its shape at its indices."""
        self.charge(20)
        return dense[tuple(self.indices)]

    def found_in(self, other: Coo) -> tuple[Any, Any]:
        """For each place its position among those of `other`, which is coalesced, and whether it is there."""
        self.charge(100)
        flat, there = self.flat, other.flat
        at = np.searchsorted(there, flat)
        at[at == there.size] = 0
        return at, there[at] == flat if there.size else np.zeros(flat.size, np.bool_)

    # Arithmetic

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        if method == "__call__" and not options:
            if len(operands) == 1:
                if ufunc is np.negative:
                    self.charge(2)
                    return self.like(-self.values)
                if ufunc is np.positive:
                    return self
                if ufunc in KEEPING_ZERO:
                    whole = self.coalesce()
                    whole.charge(100)
                    return whole.like(ufunc(whole.values))
            else:
                function = _BINARY.get(ufunc)
                if function is not None:
                    return function(*operands)
        raise errors.sparse_unavailable()

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if function is np.shape:
            return self.shape
        if function is np.ndim:
            return self.ndim
        if function is np.result_type:
            return np.result_type(*[x.dtype if type(x) is Coo else x for x in args])
        raise errors.sparse_unavailable()

    def __array__(self, *anything: Any, **options: Any) -> NoReturn:
        raise errors.sparse_numpy()

    def _refused(self, *anything: Any) -> NoReturn:
        raise errors.sparse_unavailable()

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __len__ = __iter__ = __contains__ = _refused
    __getitem__ = __setitem__ = _refused
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what Python and numpy ask of every object
            raise AttributeError(name)
        raise errors.sparse_unavailable()


def empty(shape: Sequence[int], dtype: Any, sparse_dim: int | None = None) -> Coo:
    """A tensor of zeros."""
    shape = tuple(shape)
    sparse = len(shape) if sparse_dim is None else sparse_dim
    return Coo(np.zeros((sparse, 0), np.int64), np.zeros((0, *shape[sparse:]), dtype), shape, True)


def _add(a: Any, b: Any) -> Any:
    if type(b) is not Coo:
        raise errors.add_sparse_dense()
    if type(a) is not Coo:
        if np.shape(a) != b.shape:
            if not isinstance(a, np.ndarray | np.generic):
                raise errors.add_sparse_dense()
            raise errors.add_dense_sparse_sizes(np.shape(a), b.shape)
        meter.allocate(b.size, b.itemsize)
        total = np.array(a, dtype=np.result_type(a, b.dtype), order="C")
        b.added_to(total)
        return total if total.ndim else total[()]
    if a.shape != b.shape:
        raise errors.add_sparse_sizes(a.shape, b.shape)
    if a.sparse_dim != b.sparse_dim:
        raise errors.sparse_unavailable("a sum of tensors with different numbers of sparse dimensions")
    if not b.count:
        return a
    if not a.count:
        return b
    a.charge(20)
    b.charge(20)
    both = a.coalesced and b.coalesced
    if not (a.values.flags.c_contiguous and b.values.flags.c_contiguous):
        indices, values = np.concatenate([a.indices, b.indices], 1), np.concatenate([a.values, b.values])
        return Coo(indices, values, a.shape)
    if both:
        indices, values = np.concatenate([a.indices, b.indices], 1), np.concatenate([a.values, b.values])
        return Coo(indices, values, a.shape).coalesce()
    return _merged(a, b)


def _merged(a: Coo, b: Coo) -> Coo:
    """The sum of two, one of which is in no order: PyTorch walks along both as if they were in order."""
    meter.charge(a.count + b.count >> 3)
    left, right = a.flat.tolist(), b.flat.tolist()
    picks: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) or j < len(right):
        if j == len(right) or i < len(left) and left[i] < right[j]:
            picks.append((i, -1))
            i += 1
        elif i == len(left) or right[j] < left[i]:
            picks.append((-1, j))
            j += 1
        else:
            picks.append((i, j))
            i, j = i + 1, j + 1
    first, second = np.array(picks).T
    values = np.zeros((first.size, *a.values.shape[1:]), np.result_type(a.dtype, b.dtype))
    values[first >= 0] += a.values[first[first >= 0]]
    values[second >= 0] += b.values[second[second >= 0]]
    indices = np.where(first >= 0, a.indices[:, first], b.indices[:, second])
    return Coo(indices, values, a.shape)


def _subtract(a: Any, b: Any) -> Any:
    return _add(a, -b) if type(b) is Coo else _add(a, b)


def _multiply(a: Any, b: Any) -> Any:
    if type(a) is not Coo:
        a, b = b, a
    if type(b) is Coo:
        return _intersection(a, b)
    if not np.ndim(b):
        a.charge(2)
        return a.like(a.values * b)
    if b.shape != a.shape or a.sparse_dim != a.ndim:
        raise errors.sparse_unavailable("a product with a tensor of another shape")
    return a.like(a.values * a.at(b))


def _intersection(a: Coo, b: Coo) -> Coo:
    if a.shape != b.shape or a.sparse_dim != b.sparse_dim:
        raise errors.mul_sparse_sizes()
    if a.coalesced == b.coalesced:
        table, source = (a, b) if a.count >= b.count else (b, a)
    else:
        table, source = (a, b) if a.coalesced else (b, a)
    both = a.coalesced and b.coalesced
    table = table.coalesce()
    at, there = source.found_in(table)
    if both:
        kept = np.flatnonzero(there)
        product = source.values[kept] * table.values[at[kept]]
        return Coo(np.ascontiguousarray(source.indices[:, kept]), product, a.shape, True)
    if not table.count:
        return source.like(np.zeros_like(source.values))
    other = table.values[at]
    other[~there] = 0
    return source.like(source.values * other)


def _divide(a: Any, b: Any) -> Any:
    if type(b) is Coo:
        raise errors.div_by_sparse(b.shape)
    if np.ndim(b):
        raise errors.div_by_sparse(np.shape(b))
    a.charge(2)
    return a.like(a.values / b)


def _power(a: Any, b: Any) -> Any:
    if type(a) is not Coo or type(b) is Coo or np.ndim(b):
        raise errors.sparse_unavailable("this power")
    if b == 0:
        raise errors.pow_sparse_zero()
    if a.dtype.kind not in FLOATING and type(b) is not int or a.dtype.kind == "b":
        raise errors.sparse_unavailable("this power")
    whole = a.coalesce()
    whole.charge(50)
    return whole.like(whole.values**b)


def _maximum(a: Any, b: Any) -> Any:
    """`relu`."""
    number, coo = (b, a) if type(a) is Coo else (a, b)
    if type(number) is Coo or np.ndim(number) or number != 0:
        raise errors.sparse_unavailable()
    whole = coo.coalesce()
    whole.charge(5)
    return whole.like(np.maximum(number, whole.values))


_BINARY: dict[Any, Callable[[Any, Any], Any]] = {
    np.add: _add, np.subtract: _subtract, np.multiply: _multiply, np.true_divide: _divide, np.power: _power,
    np.maximum: _maximum,
}  # fmt: skip
