"""Regular expressions with bounded work: Python's parser, and a machine that backtracks for fuel.

Python's own matcher may take exponential time, and nothing can stop it. Here it only does what is linear in the text:
runs of single characters, and whole patterns whose work at each place is bounded (`_work`). Everything else is tried
out by `Machine.run`, which charges every step that it takes back or forward.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

from engine.limits import meter

LONGEST = 4000
"""Characters of a pattern."""
_INSTRUCTIONS = 5000
_WORK = 400
"""Steps of Python's matcher at one place of the text, up to which a pattern is left to it."""
_STEPS = 512
"""Steps of Python's matcher that a step of fuel pays for."""
_TICKS = 64
"""Instructions of the machine after which it pays; eight to a step of fuel."""
_SINGLE = frozenset({_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN})
_REPEATS = frozenset({_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT})
_LEAF, _RUN, _SPLIT, _JUMP, _SAVE, _RESET, _LOOP, _AHEAD, _BACK, _IF, _DONE = range(11)

Spans = tuple[int, ...]
"""Start and end of group 0, 1, …; -1 where a group took no part. Marks of loops follow."""


@dataclass(frozen=True, slots=True)
class Program:
    """A compiled pattern."""

    pattern: str
    flags: int
    groups: int
    names: dict[str, int]
    native: Any  # Python's own, where its work is bounded
    work: int  # steps of it at each place
    code: list[tuple[Any, ...]] = field(default_factory=list)
    slots: int = 0


def compiled(pattern: str, flags: int) -> Program:
    """Parse and compile. Raises re.error, and ValueError for a pattern that is too large."""
    if len(pattern) > LONGEST:
        raise ValueError(f"patterns are limited to {LONGEST} characters here")
    meter.charge(4 + len(pattern))
    parsed = _parser.parse(pattern, flags)
    state = parsed.state
    found = state.flags
    names = dict(state.groupdict)
    work = _work(parsed, found, True)
    if work is not None and work[0] * work[1] <= _WORK:
        native = _compiler.compile(_charged(parsed, found), found)
        return Program(pattern, found, state.groups - 1, names, native, max(1, work[0] * work[1]))
    maker = _Maker(2 * state.groups)
    maker.add(parsed, found)
    maker.code.append((_DONE,))
    return Program(pattern, found, state.groups - 1, names, None, 0, maker.code, maker.slots)


def _charged(items: Any, flags: int) -> Any:
    """The same; ranges that ignore case are gone through letter by letter when they are compiled."""
    for operation, argument in items:
        if operation is _constants.IN and flags & re.IGNORECASE:
            wide = [inside[1] - inside[0] for kind, inside in argument if kind is _constants.RANGE]
            meter.charge(1 + sum(wide) // 8)
    return items


def _work(items: Any, flags: int, last: bool) -> tuple[int, int] | None:
    """Ways through a sequence and the steps of the longest, if both are bounded; `last`: nothing follows it.

    A run without end is allowed where nothing follows: what has come so far has matched.
    """
    ways, length = 1, 0
    items = list(items)
    for index, (operation, argument) in enumerate(items):
        ending = last and index == len(items) - 1
        if operation in _SINGLE or operation is _constants.AT:
            inside: tuple[int, int] | None = (1, _weight(operation, argument))
        elif operation is _constants.SUBPATTERN:
            inside = _work(argument[3], flags, ending)
        elif operation is _constants.BRANCH:
            several = [_work(part, flags, ending) for part in argument[1]]
            found = [part for part in several if part is not None]
            inside = (sum(w for w, _ in found), max(n for _, n in found)) if len(found) == len(several) else None
        elif operation in _REPEATS:
            inside = _work_of_repeat(argument, flags, ending)
        else:
            inside = None
        if inside is None or ways * inside[0] > _WORK or length + inside[1] > _WORK:
            return None
        ways, length = ways * inside[0], length + inside[1]
    return ways, max(1, length)


def _weight(operation: Any, argument: Any) -> int:
    """Steps that one character takes: the parts of a set are gone through one by one."""
    return 1 + len(argument) // 16 if operation is _constants.IN else 1


def _work_of_repeat(argument: Any, flags: int, ending: bool) -> tuple[int, int] | None:
    least, most, repeated = argument
    single = len(repeated) == 1 and repeated[0][0] in _SINGLE
    if single and most == _constants.MAXREPEAT and ending:
        return 1, (int(least) + 1) * _weight(*repeated[0])
    once = _work(repeated, flags, False)
    if once is None or most > 64:
        return None
    ways = 0
    for times in range(int(least), int(most) + 1):
        ways += once[0] ** times
        if ways > _WORK:
            return None
    return ways, int(most) * once[1] + 1


class _Maker:
    """Compiles a parsed pattern for the machine."""

    def __init__(self, slots: int) -> None:
        self.code: list[tuple[Any, ...]] = []
        self.slots = slots

    def emit(self, *instruction: Any) -> int:
        if len(self.code) >= _INSTRUCTIONS:
            raise ValueError("this pattern repeats too much to be matched here")
        meter.charge(1)
        self.code.append(instruction)
        return len(self.code) - 1

    def add(self, items: Any, flags: int) -> None:
        plain: list[Any] = []
        for item in [*items, None]:
            if item is not None and (item[0] in _SINGLE or item[0] is _constants.AT):
                plain.append(item)
                continue
            if plain:
                self.emit(_LEAF, _native(plain, flags), sum(_weight(*single) for single in plain) >> 6)
                plain = []
            if item is not None:
                self.add_one(item[0], item[1], flags)

    def add_one(self, operation: Any, argument: Any, flags: int) -> None:
        if operation is _constants.SUBPATTERN:
            group, more, fewer, inside = argument
            if group is not None:
                self.emit(_SAVE, 2 * group)
            self.add(inside, (flags | more) & ~fewer)
            if group is not None:
                self.emit(_SAVE, 2 * group + 1)
        elif operation is _constants.BRANCH:
            self.add_branches(argument[1], flags)
        elif operation in _REPEATS:
            self.add_repeat(operation, argument, flags)
        elif operation in (_constants.ASSERT, _constants.ASSERT_NOT):
            direction, inside = argument
            back = inside.getwidth()[0] if direction < 0 else 0
            self.add_apart(inside, flags, back, operation is _constants.ASSERT, False)
        elif operation is _constants.ATOMIC_GROUP:
            self.add_apart(argument, flags, 0, True, True)
        elif operation is _constants.GROUPREF:
            self.emit(_BACK, argument, bool(flags & re.IGNORECASE))
        elif operation is _constants.GROUPREF_EXISTS:
            group, yes, no = argument
            test = self.emit(_IF, group, 0)
            self.add(yes, flags)
            over = self.emit(_JUMP, 0)
            self.code[test] = (_IF, group, len(self.code))
            self.add(no or [], flags)
            self.code[over] = (_JUMP, len(self.code))
        else:
            raise ValueError(f"patterns with {operation} are not matched here")

    def add_branches(self, parts: Any, flags: int) -> None:
        jumps = []
        for part in parts[:-1]:
            split = self.emit(_SPLIT, 0, 0)
            self.add(part, flags)
            jumps.append(self.emit(_JUMP, 0))
            self.code[split] = (_SPLIT, split + 1, len(self.code))
        self.add(parts[-1], flags)
        for jump in jumps:
            self.code[jump] = (_JUMP, len(self.code))

    def add_repeat(self, operation: Any, argument: Any, flags: int) -> None:
        least, most, inside = argument
        if operation is _constants.POSSESSIVE_REPEAT:
            self.add_apart([(_constants.MAX_REPEAT, argument)], flags, 0, True, True)
            return
        greedy = operation is _constants.MAX_REPEAT
        if len(inside) == 1 and inside[0][0] in _SINGLE:
            possessive = [(_constants.POSSESSIVE_REPEAT, (0, most, inside))]
            self.emit(_RUN, _native(possessive, flags), int(least), greedy, _weight(*inside[0]))
            return
        for _ in range(int(least)):
            self.add(inside, flags)
        more = -1 if most == _constants.MAXREPEAT else int(most) - int(least)
        if not more:
            return
        mark = self.slots  # where the last turn began, and how many there were
        self.slots += 2
        self.emit(_RESET, mark)
        head = self.emit(_LOOP, mark, 0, greedy, more)
        self.add(inside, flags)
        self.emit(_JUMP, head)
        self.code[head] = (_LOOP, mark, len(self.code), greedy, more)

    def add_apart(self, inside: Any, flags: int, back: int, wanted: bool, advance: bool) -> None:
        """A part that is matched by itself: what it could have matched otherwise is forgotten."""
        start = self.emit(_AHEAD, 0, back, wanted, advance)
        self.add(inside, flags)
        self.emit(_DONE)
        self.code[start] = (_AHEAD, len(self.code), back, wanted, advance)


def _native(items: list[Any], flags: int) -> Any:
    """Python's matcher for characters one after the other, or a run of one: it never takes anything back."""
    meter.charge(4)
    for operation, argument in items:
        _charged(argument[2] if operation in _REPEATS else [(operation, argument)], flags)
    state = _parser.State()
    state.flags = flags
    return _compiler.compile(_parser.SubPattern(state, items), flags).match


class Machine:
    """Matches one text."""

    def __init__(self, program: Program, text: str, end: int) -> None:
        self.program, self.text, self.end = program, text, end
        self.ticks = 0

    def tick(self, count: int = 1) -> None:
        self.ticks += count
        if self.ticks >= _TICKS:
            meter.charge(self.ticks >> 3)
            self.ticks = 0

    def match(self, at: int, whole: bool = False, advance: bool = False) -> Spans | None:
        """The match that starts here; `whole`: and ends at the end; `advance`: and is not empty."""
        empty = (at,) + (-1,) * (self.program.slots - 1)
        found = self.run(0, at, empty, whole, at if advance else -1)
        return None if found is None else (at, found[0], *found[1][2:])

    def run(self, pc: int, at: int, spans: Spans, whole: bool, not_at: int) -> tuple[int, Spans] | None:
        """From an instruction on to its end: where it ends, and what the groups are; None where nothing matches."""
        code, text, end = self.program.code, self.text, self.end
        stack: list[tuple[int, int, Spans, int]] = []  # instruction, place, groups, and how far a run can give back
        while True:
            self.tick()
            instruction = code[pc]
            kind = instruction[0]
            fits = True
            if kind == _LEAF:
                self.tick(instruction[2])
                found = instruction[1](text, at, end)
                if found is None:
                    fits = False
                else:
                    at, pc = found.end(), pc + 1
            elif kind == _RUN:
                furthest = instruction[1](text, at, end).end()
                self.tick((furthest - at + 1) * instruction[4] >> 3)
                least = at + instruction[2]
                if furthest < least:
                    fits = False
                elif instruction[3]:
                    if furthest > least:
                        stack.append((-pc - 1, furthest - 1, spans, least))
                    at, pc = furthest, pc + 1
                else:
                    if furthest > least:
                        stack.append((-pc - 1, least + 1, spans, -furthest - 1))
                    at, pc = least, pc + 1
            elif kind == _SPLIT:
                self.tick(8)
                stack.append((instruction[2], at, spans, 0))
                pc = instruction[1]
            elif kind == _JUMP:
                pc = instruction[1]
            elif kind == _SAVE:
                slot = instruction[1]
                self.tick(len(spans) >> 1)
                spans = spans[:slot] + (at,) + spans[slot + 1 :]
                pc += 1
            elif kind == _RESET:
                mark = instruction[1]
                spans = spans[:mark] + (-1, 0) + spans[mark + 2 :]
                pc += 1
            elif kind == _LOOP:
                mark, over, greedy, more = instruction[1:]
                if spans[mark] == at or spans[mark + 1] == more:
                    pc = over
                else:
                    self.tick(8 + (len(spans) >> 1))
                    marked = spans[:mark] + (at, spans[mark + 1] + 1) + spans[mark + 2 :]
                    if greedy:
                        stack.append((over, at, spans, 0))
                        spans, pc = marked, pc + 1
                    else:
                        stack.append((pc + 1, at, marked, 0))
                        pc = over
            elif kind == _AHEAD:
                over, back, wanted, advance = instruction[1:]
                inside = self.run(pc + 1, at - back, spans, False, -1) if at >= back else None
                if (inside is not None) != wanted:
                    fits = False
                else:
                    if inside is not None:
                        spans = inside[1]
                        at = inside[0] if advance else at
                    pc = over
            elif kind == _BACK:
                start, stop = spans[2 * instruction[1]], spans[2 * instruction[1] + 1]
                fits = start >= 0 and stop >= 0 and self.same(at, start, stop, instruction[2])
                if fits:
                    at, pc = at + stop - start, pc + 1
            elif kind == _IF:
                pc = pc + 1 if spans[2 * instruction[1] + 1] >= 0 else instruction[2]
            elif whole and at != end or at == not_at:
                fits = False
            else:
                return at, spans
            if not fits:
                if not stack:
                    return None
                if not len(stack) & 1023:
                    meter.check_length(len(stack))
                pc, at, spans, limit = stack.pop()
                if pc < 0:  # a run gives back a character, or takes one more
                    if limit >= 0 and at > limit:
                        stack.append((pc, at - 1, spans, limit))
                    elif limit < 0 and at < -limit - 1:
                        stack.append((pc, at + 1, spans, limit))
                    pc = -pc

    def same(self, at: int, start: int, stop: int, ignoring_case: bool) -> bool:
        """Whether a group's text follows."""
        self.tick((stop - start) >> 3)
        here, there = self.text[at : min(at + stop - start, self.end)], self.text[start:stop]
        return here.lower() == there.lower() if ignoring_case else here == there


def matches(program: Program, text: str, at: int, end: int) -> Iterator[Spans]:
    """The matches one after the other, as Python's `finditer` finds them."""
    if program.native is not None:
        before = at
        for found in program.native.finditer(text, at, end):
            pay(program, found.end() - before)
            before = found.end()
            yield spans_of(found)
        pay(program, end - before)
        return
    machine = Machine(program, text, end)
    start, advance = at, False
    while start <= end:
        found = machine.match(start, advance=advance)
        if found is None:
            start, advance = start + 1, False
            continue
        machine.tick(_TICKS)
        yield found
        advance = found[0] == found[1]
        start = found[1]


def at_start(program: Program, text: str, at: int, end: int, whole: bool) -> Spans | None:
    """`match` and `fullmatch`."""
    if program.native is not None:
        pay(program, end - at if whole else 16)
        found = (program.native.fullmatch if whole else program.native.match)(text, at, end)
        if found is None:
            return None
        pay(program, found.end() - at)
        return spans_of(found)
    return Machine(program, text, end).match(at, whole=whole)


def pay(program: Program, characters: int) -> None:
    """Charge for Python's matcher going over so many places."""
    meter.charge(1 + characters * program.work // _STEPS)


def spans_of(found: Any) -> Spans:
    return tuple([place for span in found.regs for place in span])
