"""`numpy.nditer`: all elements of arrays that are broadcast together, one after another, as views."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, memory_order, unwrap, weigh_argument, wrap

_FLAGS = frozenset({
    "multi_index", "c_index", "f_index", "external_loop", "buffered", "copy_if_overlap", "zerosize_ok", "refs_ok",
    "common_dtype", "delay_bufalloc", "grow_inner", "ranged", "reduce_ok",
})  # fmt: skip


class Iterated:
    """`numpy.nditer`. Elements are 0-d arrays that can be written if the operand's flags say `readwrite`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    __slots__ = (
        "_arrays", "_axes", "_dims", "_flags", "_inner", "_place", "_started", "_whole", "_written", "itersize",
    )  # fmt: skip

    def __init__(
        self, op: Any, flags: Any = (), op_flags: Any = None, op_dtypes: Any = None, order: str = "K", **options: Any
    ) -> None:
        for given in (flags, op_flags):
            weigh_argument(given)
        self._flags = frozenset(flags or ())
        unknown = sorted(self._flags - _FLAGS)
        if unknown:
            raise ValueError(f'Unexpected iterator global flag "{unknown[0]}"')
        if op_dtypes is not None or options:
            raise NotImplementedError("nditer() takes flags, op_flags and order here")
        order = memory_order(order) or "K"
        operands = op if isinstance(op, list | tuple) else [op]
        if not operands or len(operands) > 32:
            raise ValueError("too many operands" if operands else "Must provide at least one operand")
        if any(one is None for one in operands):
            raise NotImplementedError("nditer() makes no arrays here: give it one to write to")
        found = [as_array(one) for one in operands]
        self._written = [_is_written(one) for one in _flags_by_operand(op_flags, len(found))]
        shapes = [a.shape for a in found]
        try:
            self._dims: tuple[int, ...] = np.broadcast_shapes(*shapes)
        except ValueError:
            told = " ".join(map(str, shapes))
            raise ValueError(f"operands could not be broadcast together with shapes {told} ") from None
        if any(written and shape != self._dims for written, shape in zip(self._written, shapes, strict=True)):
            raise ValueError("non-broadcastable operand with shape that does not match the broadcast shape")
        self._arrays = [np.broadcast_to(a, self._dims) if a.shape != self._dims else a for a in found]
        self.itersize = math.prod(self._dims)
        if not self.itersize and "zerosize_ok" not in self._flags:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        meter.charge(1 + (self.itersize >> 9))
        self._axes = _order_of(self._arrays[0], order)
        self._whole = all(a.transpose(self._axes).flags.c_contiguous for a in self._arrays)
        self._inner = 1
        if "external_loop" in self._flags:
            self._inner = max(1, self.itersize if self._whole else self._dims[self._axes[-1]])
        self._place, self._started = 0, False

    # --- where it stands

    @property
    def shape(self) -> tuple[int, ...]:
        """One dimension where nobody asks for a multi-index and elements lie one after another."""
        return (self.itersize,) if self._whole and "multi_index" not in self._flags else self._dims

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def finished(self) -> bool:
        return self._place >= self.itersize

    def _index(self) -> tuple[int, ...]:
        """The position along each axis."""
        index, rest = [0] * len(self._dims), self._place
        for axis in reversed(self._axes):
            rest, index[axis] = divmod(rest, self._dims[axis])
        return tuple(index)

    @property
    def multi_index(self) -> tuple[int, ...]:
        if "multi_index" not in self._flags:
            raise ValueError("Iterator is not tracking a multi-index")
        if self.finished:
            raise ValueError("Iterator is past the end")
        return self._index()

    @property
    def index(self) -> int:
        if self._flags.isdisjoint({"c_index", "f_index"}):
            raise ValueError("Iterator does not have an index")
        order: Any = "C" if "c_index" in self._flags else "F"
        return int(np.ravel_multi_index(self._index(), self._dims, order=order))

    @property
    def nop(self) -> int:
        return len(self._arrays)

    @property
    def iterindex(self) -> int:
        return self._place

    @property
    def operands(self) -> tuple[Any, ...]:
        return tuple([wrap(a) for a in self._arrays])

    def _views(self) -> list[Any]:
        if self.finished:
            raise ValueError("Iterator is past the end")
        place: list[Any] = [*self._index(), ...]
        if "external_loop" in self._flags:
            if self._whole:
                rows = [a.transpose(self._axes).reshape(-1) for a in self._arrays]
                return [_view(row, written) for row, written in zip(rows, self._written, strict=True)]
            place[self._axes[-1]] = slice(None)
        return [_view(a[tuple(place)], written) for a, written in zip(self._arrays, self._written, strict=True)]

    @property
    def value(self) -> Any:
        views = [wrap(view) for view in self._views()]
        return views[0] if len(views) == 1 else tuple(views)

    def __getitem__(self, index: Any) -> Any:
        return wrap(self._views()[unwrap(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        target: Array = wrap(self._views()[unwrap(index)])
        target[...] = value

    def __len__(self) -> int:
        return len(self._arrays)

    # --- going on

    def iternext(self) -> bool:
        meter.charge(1)
        self._place += self._inner
        return not self.finished

    def reset(self) -> None:
        self._place, self._started = 0, False

    def close(self) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._started:
            self.iternext()
        self._started = True
        if self.finished:
            raise StopIteration
        return self.value

    def __enter__(self) -> Iterated:
        return self

    def __exit__(self, *exception: object) -> None:
        return None


Iterated.__name__ = Iterated.__qualname__ = "nditer"


def _view(a: Any, written: bool) -> Any:
    view = a.view()
    if not written:
        view.flags.writeable = False
    return view


def _flags_by_operand(op_flags: Any, count: int) -> list[Sequence[str]]:
    """The flags of each operand; one list stands for all."""
    if not op_flags:
        return [()] * count
    if all(isinstance(flag, str) for flag in op_flags):
        return [op_flags] * count
    if len(op_flags) != count:
        raise ValueError("op_flags must be a tuple or array of per-op flag-tuples")
    return list(op_flags)


def _is_written(flags: Sequence[str]) -> bool:
    known = {"readonly", "readwrite", "writeonly", "copy", "updateifcopy", "nbo", "aligned", "contig", "no_broadcast"}
    for flag in itertools.islice(flags, 32):
        if flag not in known:
            raise ValueError(f'Unexpected per-op iterator flag "{flag}"')
    return "readwrite" in flags or "writeonly" in flags


def _order_of(a: Any, order: str) -> list[int]:
    """Axes from the slowest to the fastest."""
    axes = list(range(a.ndim))
    if order == "F" or order == "A" and a.flags.f_contiguous and not a.flags.c_contiguous:
        return axes[::-1]
    return sorted(axes, key=lambda axis: -abs(a.strides[axis])) if order == "K" else axes
