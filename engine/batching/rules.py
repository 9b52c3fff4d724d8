"""Batching rules: how ops run on all entries of a `vmap` at once. Rows name theirs (`vmap=rules.along("dim")`).

A rule is given the level, the op and the op's arguments, entries among them; it returns what the op gives for all
entries, counted by the first dimension, or None to have it run entry by entry. It runs outside the level, so that ops
it calls are recorded as PyTorch records those of its batching rules, whose graphs these follow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.core.views import geometry
from engine.types.shapes import wrap_dim

if TYPE_CHECKING:
    from engine.batching.level import Level
    from engine.codegen.op import Op

Rule = Callable[..., Any]


def call(op: Op, arguments: Sequence[Any], function: Callable[..., Any] | None = None) -> Any:
    """Run an op, or its in-place form, on arguments in the order of its parameters."""
    positional, named = [], {}
    for parameter, value in zip(op.parameters, arguments, strict=True):
        if parameter.keyword_only:
            named[parameter.name] = value
        else:
            positional.append(value)
    return (function or op.call)(*positional, **named)


def padded(level: Level, value: Any, rank: int) -> Any:
    """A tensor's batch, with dimensions of size 1 before those of an entry until they are `rank`."""
    if not isinstance(value, Tensor) or not level.maps(value):
        return value
    batch = level.batched(value)
    shape = batch._array.shape
    missing = rank + 1 - len(shape)
    return ops.view(batch, (shape[0], *(1,) * missing, *shape[1:])) if missing > 0 else batch


def pointwise(level: Level, op: Op, *inputs: Any) -> Any:
    """Entries and what is not mapped are broadcast against one another."""
    tensors = [x for x in inputs if isinstance(x, Tensor)]
    promoted = [x for p, x in zip(op.parameters, inputs, strict=True) if p.name in op.promote and isinstance(x, Tensor)]
    if len(promoted) > 1 and len({t._array.dtype for t in promoted}) > 1:
        if any(level.maps(t) and not t._array.ndim for t in promoted):
            return None  # among dtypes, a tensor without dimensions counts less than others
    rank = max([t._array.ndim for t in tensors])
    return call(op, [padded(level, x, rank) for x in inputs])


def masked_fill(level: Level, op: Op, x: Tensor, mask: Tensor, value: Tensor) -> Any:
    return None if level.maps(value) else pointwise(level, op, x, mask, value)


def same(level: Level, op: Op, *inputs: Any) -> Any:
    """The op of one tensor does to a batch what it does to an entry: it looks at the last dimensions alone."""
    if any(level.maps(x) for x in inputs[1:]):
        return None
    return call(op, (level.batched(inputs[0]), *inputs[1:]))


def together(level: Level, op: Op, first: Tensor, second: Tensor, *rest: Any) -> Any:
    """Two tensors of one rank, of which both are given for every entry."""
    if first._array.ndim != second._array.ndim:
        return None
    return call(op, (level.expanded(first), level.expanded(second), *rest))


def euclidean_dist(level: Level, op: Op, first: Tensor, second: Tensor) -> Any:
    return together(level, op, first, second) if first._array.ndim <= 2 else None


def linalg_cross(level: Level, op: Op, first: Tensor, second: Tensor, dim: int) -> Any:
    if first._array.ndim != second._array.ndim:
        return None
    return together(level, op, first, second, shifted(dim, first._array.ndim))


def solve(level: Level, op: Op, a: Tensor, b: Tensor, left: bool, check_errors: bool) -> Any:
    vector = b._array.ndim == a._array.ndim - 1 and b._array.shape == a._array.shape[:-1]
    if not vector and a._array.ndim != b._array.ndim:
        return None
    return ops._linalg_solve_ex(level.expanded(a), level.expanded(b), left=left, check_errors=check_errors)


def shifted(dim: Any, rank: int) -> Any:
    """Where a dimension of an entry is in a batch; of several, or of all (None, or none given), each."""
    if isinstance(dim, list | tuple):
        return tuple([wrap_dim(d, rank) + 1 for d in dim]) if dim else tuple(range(1, max(rank, 1) + 1))
    return tuple(range(1, max(rank, 1) + 1)) if dim is None else wrap_dim(dim, rank) + 1


def ranked(level: Level, x: Tensor) -> Tensor:
    """The batch of a tensor, with a dimension to go along if entries have none."""
    batch = level.batched(x)
    return batch if x._array.ndim else ops.unsqueeze(batch, -1)


def along(*names: str) -> Rule:
    """The rule of an op of one tensor whose parameters `names` are dimensions."""

    def rule(level: Level, op: Op, x: Tensor, *rest: Any) -> Any:
        arguments = [
            shifted(value, x._array.ndim) if p.name in names else value
            for p, value in zip(op.parameters[1:], rest, strict=True)
        ]
        return call(op, (ranked(level, x), *arguments))

    return rule


def whole(name: str) -> Rule:
    """The rule of an op over all elements: `name` is the op along dimensions."""

    def rule(level: Level, op: Op, x: Tensor, *rest: Any) -> Any:
        named = dict(zip([p.name for p in op.parameters[1:]], rest, strict=True))
        return getattr(ops, name)(ranked(level, x), shifted(None, x._array.ndim), **named)

    return rule


def norm(level: Level, op: Op, x: Tensor, p: Any) -> Any:
    return ops.linalg_vector_norm(ranked(level, x), p, shifted(None, x._array.ndim))


def flattened(level: Level, op: Op, x: Tensor) -> Any:
    """An op over all elements goes along one dimension that has them all."""
    return getattr(ops, f"{op.identifier}_dim")(_flat(level, x), 1)[0]


def prod(level: Level, op: Op, x: Tensor, dtype: Any) -> Any:
    return ops.prod_dim_int(_flat(level, x), 1, dtype=dtype)


def _flat(level: Level, x: Tensor) -> Tensor:
    batch = level.batched(x)
    return batch if x._array.ndim == 1 else batch.reshape((level.size, -1))


def over(level: Level, op: Op, x: Tensor, dim: Any, keepdim: bool = False) -> Any:
    if dim is not None:
        rest = (shifted(dim, x._array.ndim), *((keepdim,) if len(op.parameters) > 2 else ()))
        return call(op, (ranked(level, x), *rest))
    if len(op.parameters) == 2:
        return op.call(_flat(level, x), 1)
    return None if keepdim else op.call(_flat(level, x), dim=1, keepdim=False)


def roll(level: Level, op: Op, x: Tensor, shifts: Any, dims: Any) -> Any:
    if dims == () or dims is None:
        return ops.view(ops.roll(_flat(level, x), shifts, (1,)), (level.size, *x._array.shape))
    several = dims if isinstance(dims, list | tuple) else (dims,)
    return ops.roll(level.batched(x), shifts, shifted(several, x._array.ndim))


def flip(level: Level, op: Op, x: Tensor, dims: Sequence[int]) -> Any:
    return ops.flip(ranked(level, x), shifted(dims, x._array.ndim) if len(dims) else ())


def trace(level: Level, op: Op, x: Tensor) -> Any:
    return ops.sum_dim(ops.diagonal(level.batched(x), 0, 1, 2), (1,))


def diag_embed(level: Level, op: Op, x: Tensor, offset: int, dim1: int, dim2: int) -> Any:
    rank = x._array.ndim + 1
    return ops.diag_embed(level.batched(x), offset, wrap_dim(dim1, rank) + 1, wrap_dim(dim2, rank) + 1)


def view(level: Level, op: Op, x: Tensor, size: Sequence[int]) -> Any:
    wanted = _sizes(x._array.size, size)
    return op.call(level.batched(x), (level.size, *wanted))


def _sizes(count: int, size: Sequence[int]) -> tuple[int, ...]:
    known = math.prod([n for n in size if n != -1])
    return tuple([count // known if n == -1 else n for n in size])


def expand(level: Level, op: Op, x: Tensor, size: Sequence[int]) -> Any:
    batch, missing = level.batched(x), len(size) - x._array.ndim
    batch = ops.view(batch, (level.size, *(1,) * missing, *x._array.shape))
    shape = [have if want == -1 else want for want, have in zip(size, batch._array.shape[1:], strict=True)]
    return op.call(batch, (level.size, *shape))


def repeat(level: Level, op: Op, x: Tensor, repeats: Sequence[int]) -> Any:
    return ops.repeat(padded(level, x, len(repeats)), (1, *repeats))


def permute(level: Level, op: Op, x: Tensor, dims: Sequence[int]) -> Any:
    return op.call(level.batched(x), (0, *[wrap_dim(d, x._array.ndim) + 1 for d in dims]))


def transpose(level: Level, op: Op, x: Tensor, dim0: int, dim1: int) -> Any:
    if not x._array.ndim:
        return ops.alias(level.batched(x))
    return op.call(level.batched(x), shifted(dim0, x._array.ndim), shifted(dim1, x._array.ndim))


def t(level: Level, op: Op, x: Tensor) -> Any:
    batch = level.batched(x)
    return ops.transpose(batch, 1, 2) if x._array.ndim == 2 else ops.alias(batch)


def unsqueeze(level: Level, op: Op, x: Tensor, dim: int) -> Any:
    return op.call(level.batched(x), wrap_dim(dim, x._array.ndim + 1) + 1)


def squeeze_dim(level: Level, op: Op, x: Tensor, dim: int) -> Any:
    return ops.squeeze_dims(ranked(level, x), (shifted(dim, x._array.ndim),))


def squeeze(level: Level, op: Op, x: Tensor) -> Any:
    return ops.view(level.batched(x), (level.size, *[n for n in x._array.shape if n != 1]))


def as_strided(
    level: Level, op: Op, x: Tensor, size: Sequence[int], stride: Sequence[int], offset: int | None, origin: int
) -> Any:
    """Every entry is seen as the first one: steps and offset count from where the entry begins."""
    batch = level.batched(x)
    _, strides, start = geometry(batch._array)
    moved = None if offset is None else start + offset - origin
    return op.call(batch, (level.size, *size), (strides[0], *stride), moved, start)


def squeeze_(level: Level, op: Op, x: Tensor, *dim: Any) -> bool:
    batch = level.batched(x)
    if dim:
        given = dim[0] if isinstance(dim[0], list | tuple) else dim
        places = shifted(given, batch._array.ndim - 1)
    else:
        places = tuple([d for d, extent in enumerate(batch._array.shape) if d and extent == 1])
    return _seen_anew(level, x, batch.squeeze_(places))


def unsqueeze_(level: Level, op: Op, x: Tensor, dim: int) -> bool:
    batch = level.batched(x)
    return _seen_anew(level, x, batch.unsqueeze_(wrap_dim(dim, batch._array.ndim) + 1))


def transpose_(level: Level, op: Op, x: Tensor, *dims: int) -> bool:
    batch = level.batched(x)
    rank = batch._array.ndim - 1
    return _seen_anew(level, x, batch.transpose_(*[shifted(d, rank) for d in dims or (0, 1)]) if rank > 1 else batch)


def _seen_anew(level: Level, x: Tensor, batch: Tensor) -> bool:
    """Let an entry stand for its batch, which sees its memory in another way."""
    level.attach(x, batch)
    return True


def constant_pad_nd(level: Level, op: Op, x: Tensor, pad: Sequence[int], value: Any) -> Any:
    return None if level.maps(value) else ops.constant_pad_nd(level.batched(x), pad, value)


def cat(level: Level, op: Op, tensors: Sequence[Tensor], dim: int) -> Any:
    if any(t._array.ndim != tensors[0]._array.ndim for t in tensors):
        return None  # an empty vector goes with anything
    return ops.cat([level.expanded(t) for t in tensors], shifted(dim, tensors[0]._array.ndim))


def stack(level: Level, op: Op, tensors: Sequence[Tensor], dim: int) -> Any:
    given = [
        _in_front(level, t) if level.maps(t) else ops.expand(ops.unsqueeze(t, 0), (level.size, *t._array.shape))
        for t in tensors
    ]
    return ops.stack(given, wrap_dim(dim, tensors[0]._array.ndim + 1) + 1)


def _matmul(a: Tensor, b: Tensor) -> Any:
    return a @ b


def mm(level: Level, op: Op, a: Tensor, b: Tensor) -> Any:
    return _matmul(level.batched(a), level.batched(b))


def mv(level: Level, op: Op, a: Tensor, b: Tensor) -> Any:
    if not level.maps(b):
        return _matmul(level.batched(a), b)
    if not level.maps(a):
        return ops.permute(ops.mm(a, ops.permute(level.batched(b), (1, 0))), (1, 0))
    return ops.squeeze_dim(_matmul(_in_front(level, a), ops.unsqueeze(level.batched(b), -1)), -1)


def dot(level: Level, op: Op, a: Tensor, b: Tensor) -> Any:
    if not level.maps(b):
        return ops.mv(level.batched(a), b)
    if not level.maps(a):
        return ops.mm(ops.unsqueeze(a, 0), ops.t(level.batched(b))).squeeze_(0)
    row = ops.unsqueeze(level.batched(a), -2)
    column = ops.unsqueeze(level.batched(b), -1)
    return ops.squeeze_dim(ops.squeeze_dim(_matmul(row, column), -1), -1)


def plus(product: Rule, name: str) -> Rule:
    """The rule of an op that adds a tensor to a product: the op `name`, whose rule is `product`."""

    def rule(level: Level, op: Op, x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
        mapped = level.maps(a) or level.maps(b)
        found = product(level, op, a, b) if mapped else getattr(ops, name)(a, b)
        if alpha != 1:
            found = ops.mul_Scalar(found, alpha)
        rank = found._array.ndim - mapped
        scaled = ops.mul_Scalar(level.batched(x), beta)
        missing = rank - x._array.ndim
        if level.maps(x) and missing:
            scaled = ops.view(scaled, (level.size, *(1,) * missing, *x._array.shape))
        return ops.add(scaled, found)

    return rule


def addr(level: Level, op: Op, x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
    column = ops.unsqueeze(level.batched(a), -1)
    row = ops.unsqueeze(level.batched(b), -2)
    outer = ops.mul_Scalar(ops.mul(column, row), alpha)
    return ops.add(ops.mul_Scalar(padded(level, x, 2), beta), outer)


def addbmm(level: Level, op: Op, x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any) -> Any:
    if not level.maps(a) and not level.maps(b):
        product = ops.sum_dim(ops.bmm(a, b), (0,))
    else:
        product = ops.sum_dim(_matmul(level.batched(a), level.batched(b)), (1,))
    return ops.add(ops.mul_Scalar(padded(level, x, 2), beta), ops.mul_Scalar(product, alpha) if alpha != 1 else product)


def _aligned(level: Level, *values: Any) -> list[Any] | None:
    """Tensors of one rank, one dimension at least, all given for every entry."""
    tensors = [x for x in values if isinstance(x, Tensor)]
    if len({t._array.ndim for t in tensors}) > 1 or not tensors[0]._array.ndim:
        return None
    return [level.expanded(x) if isinstance(x, Tensor) else x for x in values]


def gather(level: Level, op: Op, x: Tensor, dim: int, index: Tensor, *rest: Any) -> Any:
    given = _aligned(level, x, index, *rest)
    return None if given is None else call(op, (given[0], shifted(dim, x._array.ndim), *given[1:]))


def index_select(level: Level, op: Op, x: Tensor, dim: int, index: Tensor) -> Any:
    rank = x._array.ndim
    if not rank or index._array.ndim != 1:
        return None
    place = shifted(dim, rank)
    shape = [1] * (rank + 1)
    shape[0], shape[place] = level.size if level.maps(index) else 1, index._array.shape[0]
    chosen = ops.view(level.batched(index), tuple(shape))
    batch = level.expanded(x)
    extents = list(batch._array.shape)
    extents[place] = shape[place]
    return ops.gather(batch, place, ops.expand(chosen, tuple(extents)))


def index_add(level: Level, op: Op, x: Tensor, dim: int, index: Tensor, source: Tensor, *rest: Any) -> Any:
    if level.maps(index) or not x._array.ndim or source._array.ndim != x._array.ndim:
        return None
    return call(op, (level.expanded(x), shifted(dim, x._array.ndim), index, level.expanded(source), *rest))


def index_fill(level: Level, op: Op, x: Tensor, dim: int, index: Tensor, value: Any) -> Any:
    if level.maps(index) or not x._array.ndim:
        return None
    return call(op, (level.batched(x), shifted(dim, x._array.ndim), index, value))


def _row_numbers(level: Level, rank: int) -> Tensor:
    """The number of every entry, to be broadcast against indices of `rank` dimensions."""
    return constant(np.arange(level.size).reshape(level.size, *(1,) * rank))


def _index(level: Level, x: Tensor, indices: Sequence[Tensor], places: Sequence[int]) -> Any:
    rank = max([i._array.ndim for i in indices])
    adjacent = list(places) == list(range(places[0], places[0] + len(places)))
    given = [padded(level, i, rank) for i in indices]
    if not level.maps(x):  # the entries are the first dimension of what the indices pick
        found = ops.index(x, given, tuple(places))
        return _moved(found, places[0], 0) if adjacent else found
    moved = tuple([place + 1 for place in places])
    if not any(map(level.maps, indices)):
        found = ops.index(level.batched(x), given, moved)
        return found if adjacent else _moved(found, rank, 0)
    found = ops.index(level.batched(x), [_row_numbers(level, rank), *given], (0, *moved))
    if not adjacent or not places[0]:
        return found
    kept = list(range(1 + rank, 1 + rank + places[0]))  # dimensions before those that were indexed
    rest = range(1 + rank + places[0], found._array.ndim)
    return ops.permute(found, (0, *kept, *range(1, 1 + rank), *rest))


def _moved(x: Tensor, source: int, to: int) -> Tensor:
    if source == to:
        return x
    dims = list(range(x._array.ndim))
    dims.insert(to, dims.pop(source))
    return ops.permute(x, tuple(dims))  # type: ignore[no-any-return]


def _written(
    level: Level, x: Tensor, indices: Sequence[Tensor], values: Tensor, places: Sequence[int], *rest: Any
) -> tuple[Any, ...] | None:
    """The arguments of `index_put` for all entries; None where the index leaves dimensions before it."""
    if list(places) != list(range(len(places))) and values._array.ndim:
        return None
    if any(i._array.dtype.kind == "b" for i in indices):
        if any(map(level.maps, indices)):
            return None
        rank = 1
    else:
        rank = max([i._array.ndim for i in indices])
    given = [padded(level, i, rank) for i in indices]
    kept = x._array.ndim - sum([i._array.ndim if i._array.dtype.kind == "b" else 1 for i in indices])
    moved = tuple([place + 1 for place in places])
    return (
        level.batched(x),
        [_row_numbers(level, rank), *given],
        padded(level, values, rank + kept),
        (0, *moved),
        *rest,
    )


def index_put(level: Level, op: Op, x: Tensor, *rest: Any) -> Any:
    arguments = _written(level, x, *rest)
    return None if arguments is None else call(op, (level.expanded(x), *arguments[1:]))


def index_put_(level: Level, op: Op, x: Tensor, *rest: Any) -> bool:
    arguments = _written(level, x, *rest)
    if arguments is not None:
        call(op, arguments, getattr(ops, f"{op.identifier}_"))
    return arguments is not None


def index(level: Level, op: Op, x: Tensor, indices: Sequence[Tensor], places: Sequence[int]) -> Any:
    if any(i._array.dtype.kind == "b" for i in indices):
        return None
    return _index(level, x, indices, places)


def embedding(level: Level, op: Op, weight: Tensor, indices: Tensor, padding_idx: int, *rest: Any) -> Any:
    if not level.maps(weight):
        return ops.embedding(weight, level.batched(indices), padding_idx, *rest)
    if padding_idx >= 0:
        return None
    rows, width = weight._array.shape
    flat = _in_front(level, weight).reshape((level.size * rows, width))
    places = ops.add(
        padded(level, indices, indices._array.ndim), ops.mul_Scalar(_row_numbers(level, indices._array.ndim), rows)
    )
    return ops.embedding(flat, places, padding_idx, *rest)


def _in_front(level: Level, x: Tensor) -> Tensor:
    """A batch whose entries PyTorch moves to the front, wherever they are."""
    batch = level.expanded(x)
    return ops.permute(batch, tuple(range(batch._array.ndim)))  # type: ignore[no-any-return]


def _folded(level: Level, x: Tensor) -> Tensor:
    """Entries and samples as one dimension of samples."""
    batch = _in_front(level, x)
    shape = batch._array.shape
    folded: Tensor = batch.reshape((shape[0] * shape[1], *shape[2:]))
    return folded


def _unfolded(level: Level, out: Any) -> Any:
    if isinstance(out, Tensor):
        shape = out._array.shape
        return ops.view(out, (level.size, shape[0] // level.size, *shape[1:]))
    return tuple([_unfolded(level, t) for t in out])


def sampled(rank: int) -> Rule:
    """The rule of an op on samples of `rank` dimensions, or on one sample."""

    def rule(level: Level, op: Op, x: Tensor, *rest: Any) -> Any:
        if any(isinstance(value, Tensor) for value in rest):
            return None
        if x._array.ndim == rank:
            return call(op, (level.batched(x), *rest))
        if x._array.ndim != rank + 1:
            return None
        return _unfolded(level, call(op, (_folded(level, x), *rest)))

    return rule


def convolution(level: Level, op: Op, x: Tensor, weight: Tensor, bias: Tensor | None, *options: Any) -> Any:
    if not level.maps(weight):
        folded = _folded(level, x)
        return _with_bias(level, bias, lambda own: _unfolded(level, call(op, (folded, weight, own, *options))))
    # Entries have weights of their own: each is a group of channels.
    batch, size = _moved(level.expanded(x), 0, 1), level.size
    samples, _, channels, *extents = batch._array.shape
    *others, groups = options

    def grouped(own: Tensor | None) -> Any:
        beside, weights = batch.reshape((samples, size * channels, *extents)), _folded(level, weight)
        repeated = None if own is None else own.repeat(size)
        out = call(op, (beside, weights, repeated, *others, size * groups))
        shape = out._array.shape
        return _moved(ops.view(out, (samples, size, shape[1] // size, *shape[2:])), 1, 0)

    return _with_bias(level, bias, grouped)


def _with_bias(level: Level, bias: Tensor | None, convolve: Callable[[Tensor | None], Any]) -> Any:
    """A convolution with a bias, which is added to it where every entry has its own."""
    if bias is None or not level.maps(bias):
        return convolve(bias)
    out, added = convolve(None), level.batched(bias)
    for _ in range(out._array.ndim - 3):
        added = ops.unsqueeze(added, -1)
    shape = added._array.shape
    return ops.add(out, ops.view(added, (shape[0], 1, *shape[1:])))


def native_layer_norm(
    level: Level, op: Op, x: Tensor, shape: Any, weight: Tensor | None, bias: Tensor | None, eps: float
) -> Any:
    if not level.maps(weight) and not level.maps(bias):
        return op.call(level.batched(x), shape, weight, bias, eps)
    out, mean, rstd = op.call(level.expanded(x), shape, None, None, eps)
    rank = x._array.ndim
    if weight is not None:
        out = ops.mul(out, padded(level, weight, rank))
    if bias is not None:
        out = ops.add(out, padded(level, bias, rank))
    return out, mean, rstd


def native_batch_norm(
    level: Level, op: Op, x: Tensor, weight: Any, bias: Any, mean: Tensor | None, var: Tensor | None, *options: Any
) -> Any:
    """Channels of all entries side by side."""
    batch, size = _moved(level.expanded(x), 0, 1), level.size
    samples, _, channels, *extents = batch._array.shape
    running = [None if v is None else level.expanded(v).reshape(-1) for v in (mean, var)]
    out, *saved = op.call(batch.reshape((samples, size * channels, *extents)), None, None, *running, *options)
    apart = ops.transpose(out, 0, 1).reshape((size, channels, samples, *extents))
    for vector, combine in ((weight, ops.mul), (bias, ops.add)):
        if vector is not None:
            own = level.batched(vector)
            apart = combine(apart, ops.view(own, (*own._array.shape, 1, *(1,) * len(extents))))
    return (ops.transpose(apart, 1, 2), *[ops.view(t, (size, t._array.size // size)) for t in saved])


def native_group_norm(level: Level, op: Op, x: Tensor, weight: Any, bias: Any, samples: int, *options: Any) -> Any:
    if level.maps(weight) or level.maps(bias):
        return None
    return _unfolded(level, op.call(_folded(level, x), weight, bias, level.size * samples, *options))


def attention(
    level: Level,
    op: Op,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout_p: float,
    is_causal: bool,
    mask: Any,
    scale: Any,
) -> Any:
    if mask is not None or query._array.ndim != 4:
        return None
    return _unfolded(
        level,
        op.call(_folded(level, query), _folded(level, key), _folded(level, value), dropout_p, is_causal, None, scale),
    )


def loss(level: Level, op: Op, *inputs: Any) -> Any:
    """Element by element, and then what is asked for of each entry."""
    place = next(i for i, p in enumerate(op.parameters) if p.name == "reduction")
    reduction, rest = inputs[place], list(inputs)
    rest[place] = 0
    found = pointwise(level, op, *rest)
    return found if found is None else _reduced(found, reduction)


def _reduced(losses: Tensor, reduction: int) -> Any:
    dims = tuple(range(1, losses._array.ndim))
    if not reduction or not dims:
        return losses
    return ops.mean_dim(losses, dims) if reduction == 1 else ops.sum_dim(losses, dims)


def nll_loss(
    level: Level, op: Op, x: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Any:
    """What is picked of each sample, weighted, and the mean of each entry over those that count."""
    batch, chosen = level.expanded(x), level.batched(target)
    samples = x._array.ndim > 1
    channel = 2 if samples else 1
    weights = None
    if weight is not None:
        shape = (1,) * (channel - 1) + (x._array.shape[channel - 1],) + (1,) * (x._array.ndim - channel)
        weights = ops.view(level.batched(weight), ((level.size,) if level.maps(weight) else ()) + shape)
        batch = ops.mul(batch, weights)
    counts = ops.ne(chosen, ignore_index)
    safe = ops.unsqueeze(ops.where(counts, chosen, constant(np.int64(0))), channel - (not level.maps(target)))
    places = ops.expand(safe, tuple([extent if dim != channel else 1 for dim, extent in enumerate(batch._array.shape)]))
    nothing = constant(x._array.dtype.type(0))

    def picked(values: Tensor) -> Any:
        return ops.squeeze_dims(ops.gather(values, channel, places), (channel,))

    losses = ops.where(counts, ops.neg(picked(batch)), nothing)
    if not reduction and samples:
        return losses, constant(np.zeros(level.size, x._array.dtype))
    if weights is None:
        total = ops.to_dtype(_summed(ops.expand(counts, losses._array.shape)), x._array.dtype)
    else:
        total = _summed(ops.where(counts, picked(ops.expand(weights, batch._array.shape)), nothing))
    if not reduction:
        return losses, total
    summed = _summed(losses)
    return (ops.div(summed, total) if reduction == 1 else summed), total


def _summed(x: Tensor) -> Any:
    """The sum of each entry."""
    wide = x if x._array.ndim > 1 else ops.unsqueeze(x, -1)
    return ops.sum_dim(wide, tuple(range(1, wide._array.ndim)))


def binary_cross_entropy_with_logits(
    level: Level, op: Op, x: Tensor, target: Tensor, weight: Tensor | None, pos_weight: Tensor | None, reduction: int
) -> Any:
    """The loss in steps none of which overflows."""
    rank = x._array.ndim
    own, wanted, scale, positive = [padded(level, t, rank) for t in (x, target, weight, pos_weight)]
    highest = ops.clamp_min(ops.neg(own), 0)
    negative = ops.mul(ops.rsub_Scalar(wanted, 1), own)
    spread = ops.log(ops.add(ops.exp(ops.neg(highest)), ops.exp(ops.sub(ops.neg(own), highest))))
    if positive is None:
        losses = ops.add(ops.add(negative, highest), spread)
    else:
        factor = ops.add_Scalar(ops.mul(ops.sub_Scalar(positive, 1), wanted), 1)
        losses = ops.add(negative, ops.mul(factor, ops.add(spread, highest)))
    if scale is not None:
        losses = ops.mul(losses, scale)
    return _reduced(losses, reduction)


def rule_of(op: Op) -> Rule | None:
    """The rule of an op; None for one that runs entry by entry."""
    return pointwise if op.vmap is None and op.pointwise else op.vmap


@cache
def stays(op: Op) -> bool:
    """Whether an op of one tensor leaves the dimension that is mapped where it is."""
    if op.keeps_bdim is not None:
        return op.keeps_bdim
    return rule_of(op) is pointwise and len([p for p in op.parameters if p.kind in ("grad", "tensor")]) == 1


def writes_alike(op: Op) -> bool:
    """Whether an op does the same to every element, so that it can write to all entries at once."""
    return rule_of(op) is pointwise
