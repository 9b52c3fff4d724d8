"""Every limit of a run, declared once: name, default and what it protects. Enforced here and by whoever allocates.

`meter` is what the hot paths consult. Outside a run it has no limits, so the engine works as a plain library; a run
arms it with a `Limits` and disarms it at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from operator import index
from typing import Any, NamedTuple, NoReturn

from engine import memory
from engine.document.limits import DOCUMENT_BYTES, EVENTS, INLINE_VALUES, OPS, OUTPUT


def _limit(default: int | float, unit: str, help: str) -> Any:
    return field(default=default, metadata={"unit": unit, "help": help})


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use. Every field is documented in `TABLE`."""

    fuel: int = _limit(5_000_000, "steps", "for calls and turns of loops, and for every tensor computed")
    cpu_seconds: float = _limit(20, "seconds", "processor time, where the run is timed")
    source_bytes: int = _limit(262_144, "bytes", "length of the program's text in UTF-8")
    recursion: int = _limit(1000, "calls", "calls inside each other; one more is a RecursionError, as in Python")
    output_chars: int = _limit(OUTPUT, "characters", "what print() may write; the rest is cut, visibly")
    tensor_elements: int = _limit(268_435_456, "elements", "size of one tensor")
    total_bytes: int = _limit(268_435_456, "bytes", "memory of all tensors that exist at one time")
    ops: int = _limit(OPS, "operations", "tensor operations shown in the document")
    events: int = _limit(EVENTS, "events", "steps of the timeline in the document")
    inline_values: int = _limit(INLINE_VALUES, "elements", "largest tensor whose values are written into the document")
    figures: int = _limit(40, "figures", "figures of matplotlib in the document")
    figure_points: int = _limit(1000, "points", "points of one series of a figure; of more, some are shown")
    document_bytes: int = _limit(DOCUMENT_BYTES, "bytes", "size of the document")


class LimitRow(NamedTuple):
    """One line of the reference: name, default, unit, help."""

    name: str
    default: int | float
    unit: str
    help: str


TABLE: tuple[LimitRow, ...] = tuple(
    LimitRow(f.name, f.default, f.metadata["unit"], f.metadata["help"])
    for f in fields(Limits)
    if isinstance(f.default, int | float)
)
HELP: dict[str, LimitRow] = {row.name: row for row in TABLE}


class Turns(NamedTuple):
    """How far a loop came: `ended` turns of `of`, where that is known."""

    loop: str
    line: int
    ended: int
    of: int | None = None


ENDLESS = frozenset({"fuel", "cpu_seconds"})
"""Limits that a loop may reach which has too many turns."""


class LimitExceeded(BaseException):  # noqa: N818 - the name says what happened
    """A run used more than it may. Not an `Exception`: neither the program nor the engine can swallow it.

    `limit` is the field of `Limits`, `used` what was asked for (where that is known), `allowed` what there is.
    """

    def __init__(self, limit: str, used: int | float | None, allowed: int | float, text: str) -> None:
        needed = "" if used is None else f", needed: {_number(used)}"
        super().__init__(f"{text} (limit {limit}: {_number(allowed)} {HELP[limit].unit}{needed})")
        self.limit, self.used, self.allowed = limit, used, allowed


def _number(value: int | float) -> str:
    if isinstance(value, int) and value.bit_length() > 128:
        return f"more than 2**{value.bit_length() - 1}"
    return f"{value:,}"


_UNLIMITED = 1 << 62
_FLOPS = {"f": (18, 16), "d": (16, 15), "F": (16, 15), "D": (15, 14)}
"""Powers of two: the flops of a product of matrices that a step pays for, and where one of the matrices is thin."""
_SLOW_FLOPS = (11, 11)
_THIN = 6
_ROOMY = 1 << 22
"""Flops of a product from which on there must be room for its result, and for a copy of an operand."""
_RECOUNT = 1000
"""Steps that counting the arrays that exist is charged."""
_MANY, _RECOUNT_MANY = 12, 6000
"""Of very many arrays, what so many (a power of two) are charged beside: the graphs that hold them are walked, too. So
coarse, lest the few that the engine makes at their first use, once in a process, count."""


class Meter:
    """Counts what a run uses. `budget` is `[fuel left, calls left]`, a list so that closures can share it.

    Where a program runs, `struck` is told of the first limit that it reaches, which is raised at each step from then
    on.
    """

    __slots__ = (
        "_bytes_left", "_elements", "_used", "budget", "limits", "relieve", "spared", "stopped", "struck",
    )  # fmt: skip
    relieve: Callable[[], None] | None
    struck: Callable[[], None] | None
    stopped: BaseException | None
    _used: int

    def __init__(self) -> None:
        self.disarm()

    def arm(self, limits: Limits) -> None:
        """Start counting a run against `limits`."""
        self.limits: Limits | None = limits
        self.budget: list[int] = [limits.fuel, limits.recursion]
        self._elements: int = limits.tensor_elements
        self._bytes_left: int = limits.total_bytes
        self.spared = 0
        self.relieve = self.stopped = self.struck = None

    def disarm(self) -> None:
        """Stop counting: the engine as a library."""
        self.limits = None
        self.budget = [_UNLIMITED, _UNLIMITED]
        self._elements = _UNLIMITED
        self._bytes_left = _UNLIMITED
        self.spared = 0
        self.relieve = self.stopped = self.struck = None

    def allocate(self, elements: int, itemsize: int = 4) -> None:
        """Call before a tensor of `elements` is made; charges its memory and the work of filling it.

        Raises LimitExceeded when the tensor, or all tensors together, would be too large.
        """
        if elements > self._elements:
            self._exceed("tensor_elements", elements, self._elements, "This tensor is too large to run here")
        self.took(elements * itemsize)
        if elements > 511:
            self.charge(1 + (elements >> 10) + (elements * itemsize >> 13))

    def made(self, elements: int, itemsize: int = 4) -> None:
        """Charge a tensor that an op has made: its memory, and what the op's price for its operands leaves out.

        Raises LimitExceeded like `allocate`.
        """
        if elements > self._elements:
            self._exceed("tensor_elements", elements, self._elements, "This tensor is too large to run here")
        size = elements * itemsize
        self._bytes_left -= size
        if self._bytes_left < 0:
            self._recount(size)
        if elements > 511:
            self.charge(1 + (elements >> 12) + (size >> 15))

    def reserve(self, elements: int, itemsize: int = 4) -> None:
        """Call before memory that an op needs while it runs: LimitExceeded where `allocate` would raise it."""
        if elements > self._elements:
            self._exceed("tensor_elements", elements, self._elements, "This tensor is too large to run here")
        self.room(elements * itemsize)

    def room(self, size: int) -> None:
        """Call before memory that an op needs while it runs, in bytes. LimitExceeded where there is not so much."""
        if size > self._bytes_left:
            self._recount(size)
            self._bytes_left = max(self._bytes_left, size)

    def took(self, size: int) -> None:
        """Charge memory. Raises LimitExceeded when what is alive then would take more than there is."""
        self._bytes_left -= size
        if self._bytes_left < 0:
            self._recount(size)

    def _recount(self, size: int) -> None:
        """What was charged may be free again: count what exists. What a recorder keeps does not count (`spared`), or
        can go (`relieve`)."""
        if self.limits is None:
            self._bytes_left = _UNLIMITED
            return
        total = self.limits.total_bytes
        arrays, held = memory.alive()
        alive = held - self.spared + size
        if alive > total and self.relieve is not None:
            self.relieve()
            arrays, held = memory.alive()
            alive = held - self.spared + size
        if alive > total:
            self._exceed("total_bytes", alive, total, "The tensors of this program take too much memory")
        self._bytes_left = max(total - alive, total // 16)
        self.charge(_RECOUNT + (arrays >> _MANY) * _RECOUNT_MANY)

    def work(self, flops: int) -> None:
        """Charge arithmetic that is not proportional to the result: a matrix product, a convolution."""
        self.charge(flops >> 14)

    def product(self, rows: int, inner: int, columns: int, dtype: Any, count: int = 1) -> None:
        """Charge products of matrices (rows × inner) and (inner × columns): of floats by BLAS, which waits for memory
        where one of them is thin, of other numbers by loops that are far slower."""
        wide, thin = _FLOPS.get(dtype.char, _SLOW_FLOPS)
        flops = 2 * rows * inner * columns * count
        if flops > _ROOMY:
            self.room((rows * columns + max(rows, columns) * inner) * count * dtype.itemsize)
        self.charge(flops >> (thin if min(rows, inner, columns) < _THIN else wide))

    def charge(self, steps: int) -> None:
        """Take `steps` from the fuel. Raises LimitExceeded when there is none left, TypeError for no integer.

        Whatever an op is given may reach its price: fuel less a tensor would be a tensor, and never used up.
        """
        if type(steps) is not int:
            steps = index(steps)
        budget = self.budget
        budget[0] -= steps
        if budget[0] < 0:
            self.out_of_fuel()

    def stop(self, reason: BaseException) -> bool:
        """Raise `reason` at the next step, where no other is to be raised. False outside a run."""
        if self.limits is None:
            return False
        if self.stopped is None:
            self._used = self.fuel_used
            self.stopped = reason
            if self.struck is not None:
                self.struck()
        self.budget[0] = -1
        return True

    def out_of_fuel(self) -> None:
        """Raise LimitExceeded for the fuel."""
        if self.stopped is not None:
            raise self.stopped
        allowed = 0 if self.limits is None else self.limits.fuel
        text = "The program takes too many steps; use fewer or smaller loops"
        self._exceed("fuel", allowed - self.budget[0], allowed, text)

    def _exceed(self, limit: str, used: int, allowed: int, text: str) -> NoReturn:
        error = LimitExceeded(limit, used, allowed, text)
        if self.struck is not None:
            self.stop(error)
        raise error

    @property
    def fuel_used(self) -> int:
        """Steps taken since `arm`."""
        if self.stopped is not None:
            return self._used
        return 0 if self.limits is None else self.limits.fuel - self.budget[0]


meter = Meter()


@contextmanager
def metered(limits: Limits) -> Iterator[Meter]:
    """Count what happens inside against `limits`."""
    meter.arm(limits)
    try:
        yield meter
    finally:
        meter.disarm()


def check_source(source: str, limits: Limits) -> None:
    """Refuse a program whose text is too long. Raises LimitExceeded."""
    size = len(source.encode("utf-8", "surrogatepass"))
    if size > limits.source_bytes:
        raise LimitExceeded("source_bytes", size, limits.source_bytes, "The program is too long")
