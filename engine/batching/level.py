"""A level of `vmap`: what is mapped, and how an op is run on all entries at once.

Inside a `vmap` a mapped tensor is two things. The program holds an *entry*: shape, type and numbers of the first one,
in memory of its own, outside all graphs. Its `_batch` holds all entries: a tensor with one dimension more, which has
its place in the graph and in the document. An op runs on entries as it runs on any tensors, so whoever looks at shapes
sees those of one entry, and what is wrong is found where it always is; then `Level.batch`, called as an op's observer
is, runs it on the batches: by the rule for it (`engine.batching.rules`), or entry by entry where there is none.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine import errors
from engine.batching.rules import call, padded, rule_of, stays, writes_alike
from engine.core.batch import Batch, whole
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.kernels import random
from engine.limits import meter

if TYPE_CHECKING:
    from engine.codegen.op import Op

F = TypeVar("F", bound=Callable[..., Any])

_LEVEL, _ENTRY, _CALL = 8, 2, 5
"""Steps that a `vmap` costs, an entry where ops run on each, and one that a function or a pass runs for, besides what
its ops do."""


def tensors_in(values: Any) -> Iterator[Tensor]:
    """The tensors in arguments, and in lists, tuples and dictionaries of them."""
    meter.charge(len(values) >> 4)
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from tensors_in(value)
        elif isinstance(value, dict):
            yield from tensors_in(value.values())


def innermost(values: Any) -> Level | None:
    """The innermost level that any tensor in `values` is mapped at."""
    found: Level | None = None
    for t in tensors_in(values):
        if t._batch is not None and (found is None or t._batch.level.number > found.number):
            found = t._batch.level
    return found


def _sequence_like(value: Any, items: list[Any]) -> Any:
    """A list or tuple of the same type with other items."""
    make = getattr(type(value), "_make", type(value))
    return make(items)


def replaced(value: Any, change: Callable[[Tensor], Any]) -> Any:
    """A value with every tensor in it changed; lists, tuples and dictionaries keep their types."""
    if isinstance(value, Tensor):
        return change(value)
    if isinstance(value, list | tuple | dict):
        meter.charge(len(value) >> 4)
    if isinstance(value, list | tuple):
        return _sequence_like(value, [replaced(item, change) for item in value])
    if isinstance(value, dict):
        return {key: replaced(item, change) for key, item in value.items()}
    return value


def _shaped(batch: Tensor, shape: tuple[int, ...]) -> Tensor:
    """A batch in the shape its entries have; an op may have had to give entries without dimensions one."""
    own = batch._array.shape
    if own == shape:
        return batch
    return ops.squeeze_dim(batch, -1) if own == (*shape, 1) else ops.view(batch, shape)  # type: ignore[no-any-return]


class Level:
    """One call of a function that `vmap` made: `size` entries, and what drawing random numbers means (`randomness`)."""

    differentiates = carries = False
    maps_functions = True

    def __init__(self, size: int, randomness: str) -> None:
        meter.charge(_LEVEL)
        self.size, self.randomness = size, randomness
        self.outer: Level | None = state.batching
        self.number: int = 1 if self.outer is None else self.outer.number + 1
        self._made: list[weakref.ref[Tensor]] = []
        self._source: random.Generator = random.default_generator
        self._drawn_from: Any = None

    # Coming and going

    @contextmanager
    def mapping(self) -> Iterator[None]:
        """The function runs."""
        state.batching = self
        state.transforms.append(self)
        try:
            yield
        finally:
            state.transforms.pop()
            state.batching = self.outer
            self._release()

    @contextmanager
    def outside(self) -> Iterator[None]:
        """What is computed is no longer part of the function: batches are tensors like others."""
        inner, state.batching = state.batching, self.outer
        try:
            yield
        finally:
            state.batching = inner

    @contextmanager
    def lowered(self) -> Iterator[None]:
        """As `outside`, and the transforms inside this `vmap` are none for what runs."""
        place = state.transforms.index(self)
        inner = state.transforms[place:]
        del state.transforms[place:]
        try:
            with self.outside():
                yield
        finally:
            state.transforms.extend(inner)

    def _release(self) -> None:
        """Entries that outlive the function are what they stand for."""
        for reference in self._made:
            t = reference()
            if t is not None and t._batch is not None and t._batch.level is self:
                own = t._batch.tensor
                t._array, t._requires_grad, t._grad_fn, t._output_nr = (
                    own._array,
                    own._requires_grad,
                    own._grad_fn,
                    own._output_nr,
                )
                t._version_counter, t._view, t._batch = own._version_counter, own._view, own._batch

    # Entries and batches

    def entry(self, batch: Tensor, dim: int = 0) -> Tensor:
        """What the program holds of a batch that is mapped over `dim`."""
        meter.charge(1)
        first = batch._array[(slice(None),) * dim + (0,)]
        meter.allocate(first.size, first.itemsize)
        t = constant(np.array(first, copy=True, order="K") if isinstance(first, np.ndarray) else first)
        if type(t._array) is np.ndarray and not t._array.ndim:
            t._array = t._array[()]
        return self.attach(t, batch, dim)

    def attach(self, entry: Tensor, batch: Tensor, dim: int = 0) -> Tensor:
        """Let an entry stand for a batch."""
        entry._batch = Batch(self, batch, dim)
        self._made.append(weakref.ref(entry))
        return entry

    def maps(self, value: Any) -> bool:
        """Whether a tensor, or one in a list of them, is an entry here."""
        if isinstance(value, Tensor):
            return value._batch is not None and value._batch.level is self
        return isinstance(value, list | tuple) and any(map(self.maps, value))

    def batched(self, t: Tensor) -> Tensor:
        """All entries, counted by the first dimension; a tensor that is not mapped is itself. To be called outside."""
        if not self.maps(t):
            return t
        assert t._batch is not None
        own, dim = t._batch.tensor, t._batch.dim
        if not dim:
            return own
        return ops.permute(own, (dim, *[d for d in range(own.ndim) if d != dim]))  # type: ignore[no-any-return]

    def expanded(self, t: Tensor) -> Tensor:
        """As `batched`, but what is not mapped is repeated for every entry."""
        return self.batched(t) if self.maps(t) else ops.expand(t, (self.size, *t._array.shape))

    def entries(self, value: Any) -> list[Any]:
        """A value for every entry, with that entry of every tensor in it that is mapped here."""
        meter.charge(_ENTRY * self.size)
        fronts: dict[int, Tensor] = {}

        def at(t: Tensor, entry: int) -> Tensor:
            if not self.maps(t):
                return t
            if id(t) not in fronts:
                batch = self.batched(t)
                fronts[id(t)] = ops.permute(batch, tuple(range(batch._array.ndim)))
            return ops.select(fronts[id(t)], 0, entry)  # type: ignore[no-any-return]

        return [replaced(value, functools.partial(at, entry=entry)) for entry in range(self.size)]

    innermost = staticmethod(innermost)

    # Ops

    @staticmethod
    def batch(op: Op, inputs: tuple[Any, ...], out: Any) -> bool:
        """Run an op, which ran on `inputs` and gave `out`, on what they stand for. False where that is themselves."""
        level = innermost(inputs)
        drawn = "generator" in op.by_name
        if drawn and state.batching.randomness == "error":
            raise errors.vmap_random()
        if level is None:
            return False
        if drawn and level.randomness == "same" and any(map(level.maps, inputs[out is inputs[0] :])):
            raise errors.vmap_same_randomness()
        if op.vmap_error is not None:
            raise op.vmap_error()
        meter.charge(1)
        with level.outside():
            if out is inputs[0]:
                level._write(op, inputs)
                return True
            own, rule = inputs[0], rule_of(op)
            batch = own._batch if stays(op) and level.maps(own) else None
            place = 0 if batch is None else batch.dim
            if batch is not None and place:
                found = call(op, (batch.tensor, *inputs[1:]))
            else:
                found = None if rule is None else rule(level, op, *inputs)
            if found is None:
                found = level.stacked([call(op, given) for given in level.entries(inputs)], view=True)
            results = (found,) if isinstance(found, Tensor) else found
            for t, every in zip((out,) if isinstance(out, Tensor) else out, results, strict=True):
                if isinstance(t, Tensor):
                    shape = (*t._array.shape[:place], level.size, *t._array.shape[place:])
                    level.attach(t, _shaped(every, shape), place)
        return True

    def check_write(self, op: Op, target: Tensor, operands: Any) -> None:
        """RuntimeError where more entries are to be written than `target` has room for."""
        level = innermost(operands)
        if "generator" in op.by_name:
            level = level or self
            if level.randomness == "error":
                raise errors.vmap_random()
            if level.randomness == "different" and not level.maps(target):
                raise errors.vmap_inplace_random()
            given = [value for value in operands if isinstance(value, random.Generator)]
            level._source = given[0] if given else random.default_generator
            level._drawn_from = level._source.state_bytes()
        if level is None or level.maps(target):
            return
        if target._batch is None or target._batch.level.number < level.number:
            if writes_alike(op) and not op.copies:
                size = np.broadcast_shapes(*[t._array.shape for t in tensors_in(operands)])
                raise errors.inplace_shape(target._array.shape, (level.size, *size))
            raise errors.vmap_inplace()

    def _write(self, op: Op, inputs: tuple[Any, ...]) -> None:
        if not self.maps(inputs[0]):  # written once, as it is not mapped
            raise errors.vmap_inplace()
        if op.vmap_inplace is not None and op.vmap_inplace(self, op, *inputs):
            return
        if op.view:
            raise errors.vmap_inplace()
        write = getattr(ops, op.identifier if op.name.endswith("_") else f"{op.identifier}_")
        drawn = "generator" in op.by_name
        if drawn:  # from where the entry has drawn
            self._source.restore(self._drawn_from)
        if writes_alike(op) or drawn and self.randomness == "different" and not any(map(self.maps, inputs[1:])):
            target = self.batched(inputs[0])
            rank = target._array.ndim - 1
            call(op, (target, *[padded(self, value, rank) for value in inputs[1:]]), write)
        else:
            for given in self.entries(inputs):
                if drawn and self.randomness == "same":
                    self._source.restore(self._drawn_from)
                call(op, given, write)

    def stacked(self, rows: Sequence[Any], view: bool = False) -> Any:
        """The results of all entries as batches (PyTorch shows a `view` of them); else that of the first."""
        first = rows[0]
        if isinstance(first, Tensor):
            batch = ops.stack(list(rows), 0)
            return ops.view(batch, batch._array.shape) if view else batch
        if isinstance(first, list | tuple):
            return _sequence_like(first, [self.stacked(column, view) for column in zip(*rows, strict=True)])
        return first

    def wrapped(self, batches: Any) -> Any:
        """A result of all entries as the program holds it."""
        return replaced(batches, self.entry)

    def each(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], same: bool = False
    ) -> Any:
        """What a function gives for every entry, one after another; with the `same` random numbers for all."""
        meter.charge(_CALL * self.size)
        with self.outside():
            start = random.default_generator.state_bytes() if same else None
            rows = []
            for given, named in self.entries((list(args), kwargs)):
                if start is not None:
                    random.default_generator.restore(start)
                rows.append(function(*given, **named))
            batches = self.stacked(rows)
        return self.wrapped(batches)

    # Passes

    def point(self, t: Tensor) -> tuple[Tensor, Tensor]:
        """A leaf in place of a tensor, with entries of its own at every level; and what the leaf's whole stands for.

        A gradient at it is one of every entry, whether the tensor is mapped or not.
        """
        meter.charge(2)
        with self.outside():
            batch = self.expanded(t)
            leaf, source = (batch.detach()._as_leaf(), batch) if self.outer is None else self.outer.point(batch)
        return self.attach(constant(t._array), leaf), whole(source)

    def gradients(
        self, passes: Callable[..., Any], roots: Sequence[Any], wanted: Sequence[Any], weights: Sequence[Any], *how: Any
    ) -> tuple[Any, ...]:
        """What `passes(roots, wanted, weights, …)` gives for every entry."""
        with self.outside():
            if any(map(self.maps, roots)) and all(map(self.maps, wanted)):
                starts = [self._start(root, weight) for root, weight in zip(roots, weights, strict=True)]
                found = passes([self.expanded(root) for root in roots], [self.batched(t) for t in wanted], starts, *how)
            else:
                found = self._one_by_one(passes, roots, wanted, weights, *how)
        return tuple([None if g is None else self.entry(g) for g in found])

    def _start(self, root: Tensor, weight: Tensor | None) -> Tensor:
        if weight is not None:
            return self.expanded(weight)
        if root._array.size != 1:
            raise errors.implicit_gradient_non_scalar()
        return constant(np.ones((self.size, *root._array.shape), root._array.dtype))

    def _one_by_one(self, passes: Any, roots: Any, wanted: Any, weights: Any, retain: Any, *how: Any) -> list[Any]:
        """A pass for every entry, where entries share a graph."""
        meter.charge(_CALL * self.size)
        rows = []
        for entry, given in enumerate(self.entries((list(roots), list(weights)))):
            keep = retain if entry == self.size - 1 else True
            found = passes(given[0], [self.batched(t) for t in wanted], given[1], keep, *how)
            rows.append(
                [
                    ops.select(g, 0, entry) if g is not None and self.maps(t) else g
                    for g, t in zip(found, wanted, strict=True)
                ]
            )
        return [None if column[0] is None else ops.stack(list(column), 0) for column in zip(*rows, strict=True)]


def on_batches(function: F) -> F:
    """A function whose first argument is a tensor runs on its batch: it does the same to all dimensions."""

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        if state.batching is None:
            return function(*args, **kwargs)
        first = args[0] if args else next(iter(kwargs.values()), None)
        if not isinstance(first, Tensor) or first._batch is None:
            return function(*args, **kwargs)
        level: Level = first._batch.level
        with level.outside():
            every, named = replaced((args, kwargs), level.batched)
            found = either(*every, **named)
        return level.wrapped(found)

    return either  # type: ignore[return-value]


def by_entry(function: F) -> F:
    """A function that looks at the numbers of its arguments runs once for every entry."""

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        level = None if state.batching is None else innermost((args, kwargs))
        return function(*args, **kwargs) if level is None else level.each(either, args, kwargs)

    return either  # type: ignore[return-value]


def draws(whole_batch: Callable[..., Any] | None = None, by_value: bool = False) -> Callable[[F], F]:
    """A function that draws random numbers follows the `randomness` of the `vmap` it is called in.

    `by_value`: what it draws depends on the numbers of its arguments, so that entries cannot have the same.

    `whole_batch(function, size, *args, **kwargs)` draws for so many entries at once, as PyTorch does; without it, or
    where that gives None, every entry draws by itself.
    """

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def either(*args: Any, **kwargs: Any) -> Any:
            if state.batching is None:
                return function(*args, **kwargs)
            mapped = innermost((args, kwargs))
            level: Level = mapped or state.batching
            if level.randomness == "error":
                raise errors.vmap_random()
            if level.randomness == "same":
                if mapped is None:
                    return function(*args, **kwargs)
                if by_value:
                    raise errors.vmap_same_randomness()
                return level.each(either, args, kwargs, same=True)
            drawn = None
            if whole_batch is not None:
                with level.outside():
                    every, named = replaced((args, kwargs), level.expanded)
                    drawn = whole_batch(either, level.size, *every, **named)
            return level.each(either, args, kwargs) if drawn is None else level.wrapped(drawn)

        return either  # type: ignore[return-value]

    return decorate
