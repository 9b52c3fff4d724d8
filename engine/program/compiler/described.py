"""`function.__code__` and `function.__closure__`: what they tell of a function of the program. Nothing runs them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.compiler.scope import Scope, bound_names, mangle, walrus_names
from engine.program.kinds import missing
from engine.program.methods import offer
from engine.program.special import VALUES
from engine.program.text import REPRS
from engine.program.values import UNSET, Function, fake_address, name_as


class Described:
    """What a `def` or `lambda` says of the functions that it makes, found out when a program asks."""

    argcount: int
    positional_only: int
    kwonlyargcount: int

    def __init__(self, node: ast.AST, body: list[ast.stmt] | ast.expr, signature: Any, scope: Scope) -> None:
        self.line: int = min([getattr(node, "lineno", 0), *(d.lineno for d in getattr(node, "decorator_list", ()))])
        self.body = body if isinstance(body, list) else [body]
        self.scope = scope
        self.argcount, self.positional_only = len(signature.positional), signature.positional_only
        self.kwonlyargcount = len(signature.keyword_only)
        starred = [name for name in (signature.extra, signature.keywords) if name is not None]
        self.names: list[str] = [*signature.positional, *signature.keyword_only, *starred]

    @cached_property
    def free(self) -> dict[str, tuple[int, int]]:
        """The variables of functions around it that it uses: frames outwards, and the slot there."""
        found = {}
        for name in sorted(mangle(name, self.scope) for name in _used(self.body)):
            within, hops = self.scope.parent, 0
            if name in self.scope.globals or name in self.scope.slots and name not in self.scope.nonlocals:
                continue
            while within is not None and within.kind != "module" and name not in within.globals:
                if name in within.slots and name not in within.nonlocals:
                    found[name] = hops, within.slots[name]
                    break
                within, hops = within.parent, hops + 1
        return found

    @cached_property
    def inner(self) -> set[str]:
        """The variables of its own that functions inside it use."""
        inside = [node for part in self.body for node in _walk(part) if isinstance(node, _OWN_NAMES)]
        return {name for node in inside for name in _used([node])} & self.scope.slots.keys()


_OWN_NAMES = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def _walk(node: ast.AST) -> list[ast.AST]:
    """All of the nodes below one, which is paid for: functions can stand in functions."""
    nodes = list(ast.walk(node))
    meter.charge(len(nodes) >> 1)
    return nodes


def _used(body: Iterable[ast.AST]) -> set[str]:
    """The names that code uses, without those that functions inside it have for themselves."""
    found: set[str] = set()
    for node in body:
        meter.charge(1)
        if isinstance(node, ast.Name):
            found |= {node.id, "__class__"} if node.id == "super" else {node.id}
        elif isinstance(node, ast.FunctionDef | ast.Lambda):
            inside = node.body if isinstance(node.body, list) else [node.body]
            spec = node.args
            own = {a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg) if a}
            if isinstance(node, ast.FunctionDef):
                own |= set(bound_names(node.body, True, lambda module: []))
                own -= {name for part in _walk(node) if isinstance(part, ast.Nonlocal) for name in part.names}
            else:
                own |= set(walrus_names(node.body))
            found |= _used(inside) - own
            found |= _used([*spec.defaults, *[d for d in spec.kw_defaults if d], *getattr(node, "decorator_list", ())])
        elif isinstance(node, _COMPREHENSIONS):
            own = {part.id for each in node.generators for part in ast.walk(each.target) if isinstance(part, ast.Name)}
            found |= _used(ast.iter_child_nodes(node)) - own
        else:
            found |= _used(ast.iter_child_nodes(node))
    return found


_COMPREHENSIONS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


class Code:
    """`function.__code__`."""

    __slots__ = ("_described", "_function")

    def __init__(self, function: Function) -> None:
        self._function = function
        self._described: Described = function.code.described  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Code) and other._described is self._described

    def __hash__(self) -> int:
        return sessions.active.identity(self._described) >> 4

    @property
    def co_name(self) -> str:
        return self._function.name

    @property
    def co_qualname(self) -> str:
        return self._function.qualname

    @property
    def co_argcount(self) -> int:
        return self._described.argcount

    @property
    def co_posonlyargcount(self) -> int:
        return self._described.positional_only

    @property
    def co_kwonlyargcount(self) -> int:
        return self._described.kwonlyargcount

    @property
    def co_varnames(self) -> tuple[str, ...]:
        described = self._described
        meter.charge(1 + len(described.scope.slots) // 4)
        kept = described.scope.slots.keys() - described.scope.nonlocals - described.inner
        rest = [name for name in described.scope.slots if name in kept and name.isidentifier()]
        return tuple(dict.fromkeys([*described.names, *rest]))

    @property
    def co_nlocals(self) -> int:
        return len(self.co_varnames)

    @property
    def co_freevars(self) -> tuple[str, ...]:
        return tuple(self._described.free)

    @property
    def co_cellvars(self) -> tuple[str, ...]:
        described = self._described
        found = described.inner - described.scope.nonlocals
        return tuple(sorted(found, key=lambda name: (name not in described.names, name)))

    @property
    def co_firstlineno(self) -> int:
        return self._described.line

    @property
    def co_filename(self) -> str:
        return "<program>"


class Cell:
    """A variable that a function has from the one around it."""

    __slots__ = ("_frame", "_slot")

    def __init__(self, frame: Any, slot: int) -> None:
        self._frame, self._slot = frame, slot

    @property
    def cell_contents(self) -> Any:
        value = self._frame[self._slot]
        if value is UNSET:
            raise ValueError("Cell is empty")
        return value


name_as(Code, "code")
name_as(Cell, "cell")
offer(Code, {}, " ".join(name for name in vars(Code) if name.startswith("co_")), {})
offer(Cell, {}, "cell_contents", {})


def _shown_code(value: Code) -> str:
    at = f'file "{value.co_filename}", line {value.co_firstlineno}'
    return f"<code object {value.co_name} at {fake_address(value._function)}, {at}>"


def _shown_cell(value: Cell) -> str:
    held = value._frame[value._slot]
    what = "empty" if held is UNSET else f"{type(held).__name__} object at {fake_address(held)}"
    return f"<cell at {fake_address(value._frame)}: {what}>"


REPRS[Code] = lambda writer, value: _shown_code(value)
REPRS[Cell] = lambda writer, value: _shown_cell(value)


def _function_of(value: Any, name: str) -> Function:
    function = getattr(value, "__func__", value)
    if type(function) is not Function or not hasattr(function.code, "described"):
        raise missing(value, name)
    return function


def _closure_of(value: Any) -> Any:
    function = _function_of(value, "__closure__")
    cells = []
    for hops, slot in function.code.described.free.values():  # type: ignore[attr-defined]
        frame = function.closure
        for _ in range(hops):
            frame = frame[0]
        cells.append(Cell(frame, slot))
    meter.charge(1 + len(cells))
    return tuple(cells) or None


VALUES["__code__"] = lambda value: Code(_function_of(value, "__code__"))
VALUES["__closure__"] = _closure_of
