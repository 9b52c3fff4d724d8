"""Products that PyTorch composes of simpler ops: `matmul` in all its cases, `linear`, `tensordot`, `outer` …"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine import errors
from engine.codegen.autocast import lowered
from engine.codegen.publish import LINALG, TORCH, public
from engine.composites.creation import eye
from engine.composites.shapes import checked_list, reshape_to
from engine.core.registry import OPS, ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.signatures.native import deprecated, known
from engine.types import dtypes
from engine.types.shapes import broadcast_pair, integer, wrap_dim


def _unsafe_view(tensor: Tensor, shape: Sequence[int]) -> Tensor:
    return ops._unsafe_view(tensor, tuple(shape))


def _matmul(first: Tensor, second: Tensor) -> Tensor:
    if state.autocast is not None:
        first, second = lowered(first, second)
    dim1, dim2 = first._array.ndim, second._array.ndim
    if dim1 == 2 and dim2 == 2:
        return ops.mm(first, second)
    if dim1 == 0 or dim2 == 0:
        raise errors.at_least_1d("matmul", dim1, dim2)
    if dim2 == 1:
        if dim1 == 1:
            return first.dot(second)
        if dim1 == 2:
            return first.mv(second)
    if dim1 == 1 and dim2 == 2:
        return first.unsqueeze(0).mm(second).squeeze_(0)
    if (dim1 < 3 or dim2 < 3) and _should_fold(first, second):
        return _folded(first, second)
    if dim1 == dim2 == 3 and first.shape[0] != second.shape[0]:
        if first.shape[0] == 1 and first.requires_grad:
            return _matmul(first.squeeze(0), second)
        if second.shape[0] == 1 and second.requires_grad:
            return _matmul(first, second.squeeze(0))
    return _batched(first, second)


def _should_fold(first: Tensor, second: Tensor) -> bool:
    """Whether the batch of the larger operand becomes rows of one matrix, so that `mm` or `mv` does the work.

    PyTorch does so even at the price of a copy when the smaller operand needs a gradient: the gradient of its expanded
    form would be far larger.
    """
    larger, smaller = (first, second) if first.ndim >= second.ndim else (second.mT, first)
    if larger.ndim < 3 or smaller.ndim > 2:
        return False
    if smaller.requires_grad:
        return True
    if first.ndim == 2:
        return False
    if larger.numel() == 0:
        return True
    shape, strides = larger.shape, larger.stride()
    return all(strides[i] == strides[i + 1] * shape[i + 1] for i in range(larger.ndim - 2))


def _folded(first: Tensor, second: Tensor) -> Tensor:
    transposed = second.ndim > first.ndim
    larger = second.mT if transposed else first
    smaller = second if not transposed else first.t() if first.ndim == 2 else first
    shape = list(larger.shape[:-1])
    rows = larger.reshape(math.prod(shape), larger.shape[-1])
    if smaller.ndim == 1:
        return _unsafe_view(rows.mv(smaller), shape)
    output = _unsafe_view(rows.mm(smaller), [*shape, smaller.shape[1]])
    return output.mT.contiguous() if transposed else output


def _batched(first: Tensor, second: Tensor) -> Tensor:
    own, other = first._array.shape, second._array.shape
    rows = own[-2:-1] or (1,)
    batch = own[:-2] if own[:-2] == other[:-2] else broadcast_pair(own[:-2], other[:-2])
    size = math.prod(batch)
    left = reshape_to(ops.expand(first, (*batch, *rows, own[-1])), (size, *rows, own[-1]))
    if len(other) == 1:
        right = reshape_to(ops.expand(second, (*batch, *other)), (size, *other)).unsqueeze(2)
        return _unsafe_view(left.bmm(right).squeeze(-1), (*batch, *rows))
    right = reshape_to(ops.expand(second, (*batch, *other[-2:])), (size, *other[-2:]))
    return _unsafe_view(ops.bmm(left, right), (*batch, *own[-2:-1], other[-1]))


@public("method torch linalg")
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """Matrix product with broadcasting over leading dimensions (`torch.matmul`).

    1-D operands are vectors: two give a number, one is multiplied as a row or a column.
    """
    return _matmul(input, other)


def _operator(self: Tensor, other: Any) -> Any:
    return _matmul(self, other) if isinstance(other, Tensor) else NotImplemented


def _reflected(self: Tensor, other: Any) -> Any:
    return _matmul(other, self) if isinstance(other, Tensor) else NotImplemented


public("method", "__matmul__")(_operator)
public("method", "__rmatmul__")(_reflected)


@public("nn")
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`input @ weight.T + bias`: input (*, in), weight (out, in) or (in,), bias (out) → (*, out)."""
    if state.autocast is not None:
        input, weight, bias = lowered(input, weight, bias)
    shape = input._array.shape
    ndim = len(shape)
    if ndim == 2 and bias is not None:
        return ops.addmm(bias, input, ops.t(weight))
    if ndim == 0 or weight._array.ndim == 0:
        raise errors.at_least_1d("linear", ndim, weight.ndim)
    if bias is None:
        return _matmul(input, weight.t())
    if ndim == 1 and state.batching is not None:
        return ops.add(_matmul(input, weight.t()), bias)
    if input._array.flags.c_contiguous:
        rows = ops.addmm(bias, ops.view(input, (math.prod(shape[:-1]), shape[-1])), ops.t(weight))
        return ops.view(rows, (*shape[:-1], rows._array.shape[1]))
    return _matmul(input, weight.t()).add_(bias)


def _by_name(place: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The arguments of an old call by name, and none by position; those of any other as they are."""
    found = deprecated(place, name, args, kwargs)
    return (kwargs, args) if found is None else (found, ())


def _with_factors_first(name: str) -> None:
    """Publish `name`, which still takes PyTorch's old order `addmm(beta, input, alpha, mat1, mat2)`, with a warning."""
    method, function, in_place = getattr(ops, name), OPS[name].function(), getattr(ops, name + "_")

    @public("method", name)
    def as_method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if len(args) > 2 or args and not isinstance(args[0], Tensor):
            kwargs, args = _by_name("Tensor", name, args, kwargs)
        return method(self, *args, **kwargs)

    @public("torch", name)
    def as_function(*args: Any, **kwargs: Any) -> Tensor:
        if len(args) > 3 or args and not isinstance(args[0], Tensor):
            kwargs, args = _by_name("torch", name, args, kwargs)
        return function(*args, **kwargs)

    @public("method", name + "_")
    def as_writer(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        if len(args) > 2 or args and not isinstance(args[0], Tensor):
            kwargs, args = _by_name("Tensor", name + "_", args, kwargs)
        return in_place(self, *args, **kwargs)

    def as_writing_function(*args: Any, **kwargs: Any) -> Tensor:
        if known("torch", name + "_"):
            kwargs, args = _by_name("torch", name + "_", args, kwargs)
        if "input" in kwargs:
            args = (kwargs.pop("input"), *args)
        return in_place(*args, **kwargs)

    TORCH[name + "_"] = as_writing_function
    for published in (as_method, as_function, as_writer, as_writing_function):
        published.__name__ = published.__qualname__ = name
        published.__doc__ = method.__doc__


for _name in ("addmm", "baddbmm", "addbmm", "addmv", "addr"):
    _with_factors_first(_name)


@public("method torch", "outer", "ger")
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The (n, m) matrix of products of two vectors."""
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector.ndim != 1:
            raise errors.vector_expected("outer", name, vector.ndim)
    return input.reshape(input.shape[0], 1) * vec2


@public("method torch", "inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """Sum of products over the last dimension of both; with a 0-d operand plain multiplication."""
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise errors.inner_shapes(tuple(input.shape), tuple(other.shape))
    return _tensordot(input, other, [input.ndim - 1], [other.ndim - 1])


@public("torch")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Sum of products over `dims`: a number (the last of `a` with the first of `b`), or two lists of dimensions."""
    if isinstance(dims, Tensor):
        dims = int(dims.item()) if dims.numel() == 1 else dims.tolist()
    if not isinstance(dims, tuple | list | int):
        raise errors.tensordot_dims(dims)
    if isinstance(dims, int):
        if dims < 0:
            raise errors.tensordot_negative(dims)
        if dims > min(a.ndim, b.ndim):
            raise errors.tensordot_too_many(dims)
        dims = (list(range(-dims, 0)), list(range(dims)))
    if len(dims) != 2:
        raise errors.unpacked(len(dims), 2)
    dims_a, dims_b = dims
    first, second = ([d] if isinstance(d, int) else list(d) for d in (dims_a, dims_b))
    if len(first) != len(second):
        raise errors.tensordot_lengths()
    if out is not None and not isinstance(out, Tensor):
        raise errors.keyword_type("tensordot", "out", "Tensor", out)
    result = _tensordot(a, b, first, second)
    return result if out is None else out.copy_(result)


def _tensordot(a: Tensor, b: Tensor, dims_a: list[int], dims_b: list[int]) -> Tensor:
    if a.dtype is not b.dtype:
        raise errors.tensordot_dtypes()
    left, right, contracted = a, b, 1
    for i, j in zip(dims_a, dims_b, strict=True):
        size_a, size_b = a.shape[wrap_dim(i, a.ndim)], b.shape[wrap_dim(j, b.ndim)]
        if size_b == 1:
            left = left.sum(i, keepdim=True)
        elif size_a == 1:
            right = right.sum(j, keepdim=True)
        elif size_a != size_b:
            raise errors.tensordot_sizes(size_a, i, size_b, j)
        else:
            contracted *= size_a
    dims_a, dims_b = [d % a.ndim for d in dims_a], [d % b.ndim for d in dims_b]
    for dims in (dims_a, dims_b):
        for place, d in enumerate(dims):
            if d in dims[:place]:
                raise errors.repeated_dim(d)
    kept_a = [i for i in range(a.ndim) if i not in dims_a]
    kept_b = [j for j in range(b.ndim) if j not in dims_b]
    shape = [left.shape[i] for i in kept_a] + [right.shape[j] for j in kept_b]
    rows = math.prod(left.shape[i] for i in kept_a)
    columns = math.prod(right.shape[j] for j in kept_b)
    left, right = ops.permute(left, (*kept_a, *dims_a)), ops.permute(right, (*dims_b, *kept_b))
    if rows == 1 and columns == 1:
        if left.is_contiguous() and right.is_contiguous():
            return left.flatten().dot(right.flatten()).reshape(shape)
        return (left.squeeze() * right.squeeze()).sum().reshape(shape)
    return left.reshape(rows, contracted).mm(right.reshape(contracted, columns)).reshape(shape)


@public("method torch", "kron")
def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker product: every element of `input` times the whole of `other`."""
    ndim = max(input.dim(), other.dim())
    shape_a = (1,) * (ndim - input.dim()) + tuple(input.shape)
    shape_b = (1,) * (ndim - other.dim()) + tuple(other.shape)
    spread_a = [size for s in shape_a for size in (s, 1)]
    spread_b = [size for s in shape_b for size in (1, s)]
    product = _unsafe_view(input, spread_a) * _unsafe_view(other, spread_b)
    return _unsafe_view(product, [s * t for s, t in zip(shape_a, shape_b, strict=True)])


@public("linalg", "diagonal")
def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """The diagonals of matrices, as a view."""
    return ops.diagonal(A, offset, dim1, dim2)


@public("linalg")
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Sum of products along `dim`, batched; of complex numbers, the first is conjugated."""
    if state.autocast is not None:
        x, y = lowered(x, y)
    if x._array.dtype.kind not in dtypes.INEXACT:
        raise errors.linalg_dtype("linalg.vecdot", x.dtype.type_name)
    if x.dtype is not y.dtype:
        raise errors.vecdot_dtypes(x.dtype.type_name, y.dtype.type_name)
    if x.ndim == 1 and y.ndim == 1:
        return ops.vdot(x, y)
    return ((x.conj() if x.is_complex() else x) * y).sum(dim)


@public("torch")
def chain_matmul(*matrices: Tensor) -> Tensor:
    """Product of matrices in the cheapest order (deprecated: `linalg.multi_dot`)."""
    errors.warn_chain_matmul()
    for t in checked_list("chain_matmul", matrices):
        if t.ndim != 2:
            raise errors.chain_matmul_dimensions(t.ndim)
    if not matrices:
        raise errors.chain_matmul_empty()
    return matrices[0] if len(matrices) == 1 else multi_dot(matrices)


@public("linalg")
def multi_dot(tensors: Sequence[Tensor]) -> Tensor:
    """Product of two or more matrices in the order that needs the fewest multiplications.

    The first and the last may be vectors.
    """
    if len(tensors) < 2:
        raise errors.multi_dot_count(len(tensors))
    matrices = list(tensors)
    shape: list[int] = []
    for which, end in (("first", matrices[0]), ("last", matrices[-1])):
        if end.ndim not in (1, 2):
            raise errors.multi_dot_end(which, end.ndim)
    if matrices[0].ndim == 1:
        matrices[0] = matrices[0].unsqueeze(0)
    else:
        shape.append(matrices[0].shape[0])
    if matrices[-1].ndim == 1:
        matrices[-1] = matrices[-1].unsqueeze(-1)
    else:
        shape.append(matrices[-1].shape[1])
    for index, matrix in enumerate(matrices):
        if matrix.ndim != 2:
            raise errors.multi_dot_dimensions(index, matrix.ndim)
    for index in range(len(matrices) - 1):
        if matrices[index + 1].dtype is not matrices[0].dtype:
            raise errors.multi_dot_dtypes(matrices[0].dtype.cpp_name, index + 1, matrices[index + 1].dtype.cpp_name)
        if matrices[index].shape[1] != matrices[index + 1].shape[0]:
            raise errors.multi_dot_shapes(index, tuple(matrices[index].shape), tuple(matrices[index + 1].shape))
    return _chain(matrices).view(shape)


def _chain(matrices: list[Tensor]) -> Tensor:
    if len(matrices) == 2:
        return matrices[0].mm(matrices[1])
    sizes = [m.shape[0] for m in matrices] + [matrices[-1].shape[1]]
    if len(matrices) == 3:
        a, b, c = matrices
        if sizes[0] * sizes[2] * (sizes[1] + sizes[3]) <= sizes[1] * sizes[3] * (sizes[0] + sizes[2]):
            return a.mm(b).mm(c)
        return a.mm(b.mm(c))
    split = _chain_order(sizes)

    def product(i: int, j: int) -> Tensor:
        if i == j:
            return matrices[i]
        return product(i, split[i][j]).mm(product(split[i][j] + 1, j))

    return product(0, len(matrices) - 1)


def _chain_order(sizes: list[int]) -> list[list[int]]:
    """Where to cut the product of matrices i…j (Cormen et al., matrix-chain order)."""
    n = len(sizes) - 1
    meter.charge(n**3 // 60)
    cost = [[0] * n for _ in range(n)]
    split = [[0] * n for _ in range(n)]
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            costs = [(cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i][j], split[i][j] = min(costs)
    return split


@public("method torch", "matrix_power")
@public("linalg")
def matrix_power(A: Tensor, n: int) -> Tensor:
    """A product of `n` copies of a square matrix (or batch of them); negative `n` inverts it first."""
    if A.ndim < 2:
        raise errors.matrix_expected("linalg.matrix_power", "A", A.ndim)
    if A.shape[-1] != A.shape[-2]:
        raise errors.square_expected("linalg.matrix_power", A.shape[-2], A.shape[-1])
    n = integer(n)
    if n == 0:
        return A.clone().copy_(eye(A.shape[-2], dtype=A.dtype))
    if n == 1:
        return A.clone()
    if n < 0:
        A, n = LINALG["inv"](A), -n
    if n == 1:
        return A
    if n == 2:
        return _matmul(A, A)
    if n == 3:
        return _matmul(_matmul(A, A), A)
    power, result = A, None
    while True:
        if n & 1:
            result = power if result is None else _matmul(result, power)
        n >>= 1
        if not n:
            break
        power = _matmul(power, power)
    assert result is not None
    return result
