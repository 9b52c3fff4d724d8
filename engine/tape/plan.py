"""What a program's own tape is, from what was noted of a run: its nodes, and its passes.

Nothing goes by names of attributes or classes. A gradient is what is stored first for a node and then for what the node
was made of; a value is the number that an operation gives of the values of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from engine.tape.observe import MISSING
from engine.tape.operations import Operation, close, derivatives, operation


@dataclass(slots=True, eq=False)
class Own:
    """A node of the tape. `seq`: the moment it is there for the rest of the program; `slots`: what it was made of.

    `history`: other values that it got later. `constant`: it was made inside the operation that uses it, as `2` is in
    `x * 2`.
    """

    order: int
    seq: int
    value: Any
    things: list[Any]
    met: list[int]
    label: str
    words: list[str]
    slots: list[Own] = field(default_factory=list)
    operands: list[Any] = field(default_factory=list)
    operation: Operation | None = None
    constant: bool = False
    users: list[Own] = field(default_factory=list)
    name: str | None = None
    history: list[tuple[int, Any]] = field(default_factory=list)

    def at(self, seq: int) -> Any:
        """Its value at a moment: leaves are updated."""
        return next((value for since, value in reversed(self.history) if since <= seq), self.value)

    @property
    def leaf(self) -> bool:
        return not self.slots


@dataclass(slots=True, eq=False)
class Landing:
    """A gradient reached a node. `gain`: what came; `total`: what the node has then; `replaces`: by `=`, what was there
    is lost."""

    seq: int
    to: Own
    before: Any
    total: Any
    gain: Any
    replaces: bool
    line: int | None
    text: str
    sender: Own | None = None
    slot: int = 0
    arrived: int = 0
    within: Any = None


@dataclass(slots=True, eq=False)
class Pass:
    """One backward pass of the tape, which begins with `seed`; `total`: what the root has then."""

    seq: int
    root: Own
    seed: Any
    before: Any
    total: Any
    line: int | None
    landings: list[Landing] = field(default_factory=list)

    def groups(self) -> Iterator[list[Landing]]:
        """Landings that one node caused in a row."""
        group: list[Landing] = []
        for landing in self.landings:
            if group and group[-1].sender is not landing.sender:
                yield group
                group = []
            group.append(landing)
        if group:
            yield group


@dataclass(slots=True, eq=False)
class Change:
    """A number of a node became another one, outside of a pass."""

    seq: int
    to: Own
    before: Any
    after: Any
    gradient: bool


@dataclass(slots=True, eq=False)
class Machinery:
    """The functions of the tape itself: methods of its classes, what makes nodes, what stores gradients; not what uses
    them. Both are qualified names."""

    classes: set[str]
    functions: set[str]

    def has(self, code: CodeType) -> bool:
        """Whether a function is one of them, or lies in one."""
        name = code.co_qualname
        while name:
            if name in self.functions or name in self.classes:
                return True
            name = name.rpartition(".")[0]
            name = name.removesuffix(".<locals>")
        return False


@dataclass(slots=True, eq=False)
class Plan:
    """All of it. `kind` says how it was written: `objects`, `indices`, `names` or `callbacks`."""

    kind: str
    of: str
    value: str | None
    gradient: str | None
    nodes: list[Own]
    passes: list[Pass]
    changes: list[Change]
    machinery: Machinery
    whole: bool = True


def agreement(plan: Plan) -> tuple[int, int]:
    """How many gradients came as the derivative has them, and how many in all: other numbers are stored as well, for
    one node after the other."""
    count = 0
    for each in plan.passes:
        has: dict[int, Any] = {id(each.root): each.total}
        for landing in each.landings:
            sender = landing.sender
            assert sender is not None
            values = [value_at(v, sender.seq) for v in sender.operands]
            slopes = derivatives(sender.operation, values) if sender.operation else None
            if slopes is not None and id(sender) in has:
                due = [d for v, d in zip(sender.operands, slopes(has[id(sender)]), strict=True) if v is landing.to]
                count += any(close(landing.gain, d) for d in due if d is not None)
            has[id(landing.to)] = landing.total
    return count, sum(len(each.landings) for each in plan.passes)


def value_at(operand: Any, seq: int) -> Any:
    return operand.at(seq) if isinstance(operand, Own) else operand


SAME = frozenset({"add", "sub", "sum", "neg", "clone"})
"""Operations that hand on what arrives, as much else does."""


def is_sure(plan: Plan) -> bool:
    """Whether at least half of what was handed on is what the derivatives say, and not only of sums."""
    agreeing, count = agreement(plan)
    senders = [landing.sender for each in plan.passes for landing in each.landings]
    return 2 * agreeing >= count > 0 and any(s and s.operation and s.operation.name not in SAME for s in senders)


def find_operation(own: Own, parents: Sequence[Own], given: Sequence[Any]) -> None:
    """Find out which operation made a node, and so in which order it has its operands."""
    operands: list[Any] = []
    for value in given:
        if isinstance(value, Own):
            if value in parents:
                operands.append(value)
        elif value is not MISSING and value is not own.value:
            operands.append(value)
    distinct: list[Any] = [*parents]
    numbers = [v for v in operands if not isinstance(v, Own)]
    everything = [*distinct, *numbers]
    flags = [True] * len(distinct) + [False] * len(numbers)
    values = [value_at(v, own.seq) for v in everything]
    if parents:
        twice = [v for v in operands if isinstance(v, Own)]
        words = own.words
        own.operation = None
        if len(parents) == 1 and len(twice) == 2:  # x + x: both are the same
            both = operation(own.value, [values[0]], [True], words)
            own.operation = both
        if own.operation is None:
            own.operation = operation(own.value, values, flags, words)
    if own.operation is None:
        own.slots, own.operands = list(parents), list(parents)
        return
    own.operands = [everything[place] for place in own.operation.places]
    own.slots = [v for v in own.operands if isinstance(v, Own)]


def link(nodes: Iterable[Own]) -> None:
    for own in nodes:
        for parent in dict.fromkeys(own.slots):
            parent.users.append(own)
            own.seq = max(own.seq, parent.seq)


def flattened(values: Iterable[Any], depth: int = 3) -> Iterator[Any]:
    for value in values:
        if type(value) in (list, tuple, set, frozenset) and depth:
            yield from flattened(value, depth - 1)
        else:
            yield value
