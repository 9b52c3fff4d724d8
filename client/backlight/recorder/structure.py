"""What the text of a file says about its lines: where loops are, and which lines assign what."""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType

from .positions import text_of

_STORES = frozenset({"STORE_NAME", "STORE_FAST", "STORE_GLOBAL", "STORE_DEREF"})


@dataclass(frozen=True)
class Loop:
    """A `for` or `while`; its body are the lines from `first` to `last`.

    `again`: the last line of the first statement of a loop whose turns begin there, as nothing is asked in its head.
    """

    label: str
    line: int
    first: int
    last: int
    again: int | None = None


@dataclass(eq=False)
class Structure:
    """A file: loops by their line, outermost first; lines whose statement is all on them; lines of `def` by that of the
    decorator.

    `comprehended`: where comprehensions assign their own variables, and where they give names back that were there.
    `heads`: where `for` statements ask for their next element, in the eyes of this Python.
    `unpacked`: columns of names that get parts of one value, by line and name; `imported`: where imports stand.
    """

    loops: dict[int, list[Loop]] = field(default_factory=dict)
    single: set[int] = field(default_factory=set)
    functions: dict[int, int] = field(default_factory=dict)
    comprehended: frozenset[tuple[int, int]] = frozenset()
    heads: frozenset[tuple[int, int]] = frozenset()
    unpacked: dict[tuple[int, str], int] = field(default_factory=dict)
    imported: frozenset[tuple[int, int]] = frozenset()

    def enters(self, line: int, next_line: int) -> bool:
        """Whether a turn of a `for` loop begins between these lines: its variables are assigned."""
        return any([loop.first <= next_line <= loop.last for loop in self.loops.get(line, ())])


@dataclass(frozen=True)
class Stores:
    """What a piece of code assigns: names by line, and lines on which something gets another `.grad`.

    `steps`: the same for lines that assign several times: line and names by the offset of the instruction that does.
    `turns`: offsets of jumps by which a loop statement that is all on one line begins again.
    """

    names: dict[int, tuple[str, ...]]
    grads: frozenset[int]
    steps: dict[int, tuple[int, tuple[str, ...]]]
    turns: frozenset[int]


def structure_of(filename: str) -> Structure:
    """The structure of a file; nothing where its text is not Python or not to be had."""
    return _structure(text_of(filename))


@lru_cache(maxsize=256)
def _structure(text: str) -> Structure:
    found = Structure()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return found
    several: set[int] = set()
    comprehended: set[tuple[int, int]] = set()
    imported: set[tuple[int, int]] = set()
    heads: set[tuple[int, int]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            label = "while" if isinstance(node, ast.While) else _label(node.target)
            last = node.body[-1].end_lineno or node.body[-1].lineno
            endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
            again = node.body[0].end_lineno if endless else None
            loop = Loop(label, node.lineno, node.body[0].lineno, last, again)
            found.loops.setdefault(node.lineno, []).append(loop)
            if not isinstance(node, ast.While):
                head = node.iter if sys.version_info >= (3, 13) else node
                heads.add((head.lineno, head.col_offset))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.functions[min([node.lineno, *(d.lineno for d in node.decorator_list)])] = node.lineno
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp):
            parts = [name for part in node.generators for name in ast.walk(part.target)]
            comprehended |= {(part.lineno, part.col_offset) for part in (node, *parts) if isinstance(part, ast.expr)}
        elif isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Store):
            for part in node.elts:
                if isinstance(part, ast.Name):
                    found.unpacked.setdefault((part.lineno, part.id), part.col_offset)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported.add((node.lineno, node.col_offset))
        if isinstance(node, ast.stmt):
            if node.lineno == node.end_lineno and not isinstance(node, ast.For | ast.While | ast.With):
                found.single.add(node.lineno)
            else:
                several.add(node.lineno)
    found.single -= several
    found.comprehended, found.imported, found.heads = frozenset(comprehended), frozenset(imported), frozenset(heads)
    for loops in found.loops.values():
        loops.sort(key=lambda loop: -loop.last)
    return found


_GIVES_NO_TENSOR = frozenset({"LOAD_CONST", "LOAD_SMALL_INT", "MAKE_FUNCTION", "SET_FUNCTION_ATTRIBUTE"})


@dataclass
class _Run:
    """Names that instructions in a row assign; `last`: where the last of them is."""

    line: int
    last: int
    tensors: bool
    names: list[str] = field(default_factory=list)

    def in_order(self, structure: Structure) -> tuple[str, ...]:
        """As they stand in the text, which is how Python assigns them unless it could swap them."""
        columns = [structure.unpacked.get((self.line, name)) for name in self.names]
        if None in columns:
            return tuple(dict.fromkeys(self.names))
        return tuple(dict.fromkeys(name for _, name in sorted(zip(columns, self.names, strict=True))))


@lru_cache(maxsize=4096)
def stores_of(code: CodeType, structure: Structure) -> Stores:
    """What a piece of code of a file assigns; not what comprehensions in it do for themselves, nor imports."""
    runs: dict[int, list[_Run]] = {}
    grads: set[int] = set()
    line, before, run = code.co_firstlineno, "", None
    instructions = list(dis.get_instructions(code))
    for number, instruction in enumerate(instructions):
        column = 0
        if instruction.positions is not None and instruction.positions.lineno is not None:
            line, column = instruction.positions.lineno, instruction.positions.col_offset or 0
        here, stored = (line, column), _stored(instruction)
        if instruction.opname in ("STORE_ATTR", "DELETE_ATTR") and instruction.argval == "grad":
            grads.add(line)
        if not stored or here in structure.comprehended or here in structure.imported or _ends(instructions, number):
            run = None
        else:
            if run is None or run.line != line:
                run = _Run(line, instruction.offset, before not in _GIVES_NO_TENSOR)
                runs.setdefault(line, []).append(run)
            run.last = instruction.offset
            run.names += stored
        before = instruction.opname
    names: dict[int, tuple[str, ...]] = {}
    steps: dict[int, tuple[int, tuple[str, ...]]] = {}
    for number, found in runs.items():
        if sum(run.tensors for run in found) > 1:
            steps |= {run.last: (number, run.in_order(structure)) for run in found}
        else:
            names[number] = tuple(dict.fromkeys(name for run in found for name in run.in_order(structure)))
    return Stores(names, frozenset(grads), steps, frozenset(_turns(instructions, structure)))


def _turns(instructions: list[dis.Instruction], structure: Structure) -> Iterator[int]:
    """Jumps back on one line that are no comprehension's, which newer Pythons run in the frame around them."""
    by_offset = {instruction.offset: instruction for instruction in instructions}
    for jump in instructions:
        to = by_offset.get(jump.argval) if jump.opname.startswith("JUMP_BACKWARD") else None
        if to is None or to.positions is None or jump.positions is None or to.positions.lineno != jump.positions.lineno:
            continue
        if to.opname != "FOR_ITER" or (to.positions.lineno, to.positions.col_offset) in structure.heads:
            yield jump.offset


def _stored(instruction: dis.Instruction) -> tuple[str, ...]:
    """The names that an instruction assigns: two that some Pythons join into one, or one and another that is read."""
    argument = instruction.argval
    if instruction.opname == "STORE_FAST_STORE_FAST" and isinstance(argument, tuple):
        return tuple(map(str, argument))
    if instruction.opname in _STORES or instruction.opname.startswith("STORE_FAST_"):
        return (str(argument[0] if isinstance(argument, tuple) else argument),)
    return ()


def _ends(instructions: list[dis.Instruction], number: int) -> bool:
    """Whether a name is assigned only to be deleted, as that of an `except` is in the end."""
    after = instructions[number + 1] if number + 1 < len(instructions) else None
    return after is not None and after.opname.startswith("DELETE_") and after.argval == instructions[number].argval


def _label(target: ast.expr) -> str:
    """`for i`, `for x, y`."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return "for " + ", ".join(names) if len(names) == len(parts) else "for"
