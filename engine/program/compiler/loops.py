"""Loops and comprehensions. Every turn is charged.

A comprehension uses hidden slots of the frame around it, unless something inside it could keep its variables alive (a
lambda or a generator expression); then, as in Python, each evaluation gets a frame of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from engine.core.state import state
from engine.limits import LimitExceeded, Turns
from engine.program.admission import leaving_generator
from engine.program.charges import probed
from engine.program.compiler.core import BREAK, CONTINUE, Compiler, Expression, Statement, Store, expression, statement
from engine.program.compiler.names import slot_of, store
from engine.program.compiler.operators import tested
from engine.program.compiler.scope import Scope
from engine.program.errors import Position
from engine.program.exceptions import trail
from engine.program.generators import Generator
from engine.program.hashing import SETS, note, walked
from engine.program.instrument import loop_label
from engine.program.operators import GENEXPR, guard_key
from engine.program.session import Session
from engine.program.values import UNSET, CallFrame, out_of_fuel


@statement(ast.While)
def while_(c: Compiler, node: ast.While, scope: Scope) -> Statement:
    test, position = tested(c, node.test, scope), c.position(node.test)
    scope.loops += 1
    body = c.block(node.body, scope)
    scope.loops -= 1
    orelse = c.block(node.orelse, scope) if node.orelse else None
    if c.recorder is not None:
        body = recorded_turns(c, body, "while", node.lineno)
    fresh = fresh_turns(c)

    def run(f: CallFrame) -> Any:
        turn = fresh(f)
        while True:
            value = test(f)
            if value is not True:
                state.position = position
                if not value:
                    break
            result = body(f) if turn is None else turn(body, f)
            if result is not None:
                if result is BREAK:
                    return None
                if result is not CONTINUE:
                    return result
        return None if orelse is None else orelse(f)

    return run


def fresh_turns(c: Compiler) -> Callable[[CallFrame], Callable[[Statement, CallFrame], Any] | None]:
    """For a recorder: numbers the turns of each execution of a loop from 0."""
    if c.recorder is None:
        return lambda f: None
    enter, leave = c.recorder.scope_enter, c.recorder.scope_exit

    def fresh(f: CallFrame) -> Callable[[Statement, CallFrame], Any]:
        count = 0

        def turn(body: Any, frame: CallFrame) -> Any:
            nonlocal count
            enter("loop", body.label, body.line, count)
            count += 1
            try:
                return body.run(frame)
            except LimitExceeded as exceeded:
                exceeded.inside(Turns(body.label, body.line, count - 1))
                raise
            finally:
                leave()

        return turn

    return fresh


class _Turn:
    """A loop body with what a recorder wants to know about it."""

    __slots__ = ("label", "line", "run")

    def __init__(self, run: Statement, label: str, line: int) -> None:
        self.run, self.label, self.line = run, label, line

    def __call__(self, f: CallFrame) -> Any:
        return self.run(f)


def recorded_turns(c: Compiler, body: Statement, label: str, line: int) -> Statement:
    """Attach label and line for `fresh_turns`."""
    return _Turn(body, label, line)


@statement(ast.For)
def for_(c: Compiler, node: ast.For, scope: Scope) -> Statement:
    source, position, session = c.expression(node.iter, scope), c.position(node.iter), c.session
    put = store(c, node.target, scope)
    scope.loops += 1
    body = c.block(node.body, scope)
    scope.loops -= 1
    orelse = c.block(node.orelse, scope) if node.orelse else None
    if c.recorder is not None:
        return _recorded_for(c, node, source, position, put, body, orelse)
    slot = slot_of(c, node.target, scope)
    if slot is not None:
        return _for_slot(session, source, position, slot[0], body, orelse)

    def run(f: CallFrame) -> Any:
        values = source(f)
        state.position = position
        if session.odd and isinstance(values, SETS):
            values = walked(values)
        for value in values:
            put(f, value)
            result = body(f)
            if result is not None:
                if result is BREAK:
                    return None
                if result is not CONTINUE:
                    return result
            state.position = position
        return None if orelse is None else orelse(f)

    return run


_QUIET = frozenset({range, list, tuple, dict, str, set})
"""Collections whose iteration runs no operation and cannot fail."""


def _for_slot(
    session: Session, source: Expression, position: Position, index: int, body: Statement, orelse: Statement | None
) -> Statement:
    def run(f: CallFrame) -> Any:
        values = source(f)
        state.position = position
        if session.odd and isinstance(values, SETS):
            values = walked(values)
        quiet = type(values) in _QUIET
        for f[index] in values:
            result = body(f)
            if result is not None:
                if result is BREAK:
                    return None
                if result is not CONTINUE:
                    return result
            if not quiet:
                state.position = position
        return None if orelse is None else orelse(f)

    return run


_COUNTED = frozenset({range, list, tuple})
"""Collections that say how many turns a loop over them has."""


def _recorded_for(
    c: Compiler,
    node: ast.For,
    source: Expression,
    position: Position,
    put: Store,
    body: Statement,
    orelse: Statement | None,
) -> Statement:
    assert c.recorder is not None
    label, line = loop_label(node.target), node.lineno
    ends_early = any(isinstance(part, ast.Break | ast.Return) for part in ast.walk(node))
    enter, leave, session = c.recorder.scope_enter, c.recorder.scope_exit, c.session

    def run(f: CallFrame) -> Any:
        values = source(f)
        state.position = position
        if session.odd and isinstance(values, SETS):
            values = walked(values)
        last = len(values) - 1 if type(values) in _COUNTED and not ends_early else None
        for turn, value in enumerate(values):
            enter("loop", label, line, turn, None if last is None else last - turn)
            try:
                put(f, value)
                result = body(f)
            except LimitExceeded as exceeded:
                exceeded.inside(Turns(label, line, turn, len(values) if type(values) in _COUNTED else None))
                raise
            finally:
                leave()
            state.position = position
            if result is not None:
                if result is BREAK:
                    return None
                if result is not CONTINUE:
                    return result
        return None if orelse is None else orelse(f)

    return run


@statement(ast.Break)
def break_(c: Compiler, node: ast.Break, scope: Scope) -> Statement:
    if not scope.loops:
        c.invalid(node, "'break' outside loop")
    return lambda f: BREAK


@statement(ast.Continue)
def continue_(c: Compiler, node: ast.Continue, scope: Scope) -> Statement:
    if not scope.loops:
        c.invalid(node, "'continue' not properly in loop")
    return lambda f: CONTINUE


# --- comprehensions


def _captures(node: ast.AST) -> bool:
    """Whether something in a comprehension could outlive it with its variables."""
    return any(isinstance(part, ast.Lambda | ast.GeneratorExp) for part in ast.walk(node))


class _Inside:
    """The scope a comprehension's own expressions are compiled in, and how to get its frame."""

    def __init__(
        self, c: Compiler, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> None:
        self.c, self.outer = c, scope
        self.own = isinstance(node, ast.GeneratorExp) or scope.kind == "class" or _captures(node)
        self.in_class = scope.kind == "class"
        self.scope = Scope("comprehension", scope.inner, scope.name, scope.qualname) if self.own else scope
        self.hidden: dict[str, int | None] = {}
        c.comprehensions.append(set())

    def variables(self, target: ast.expr) -> None:
        """Give a target's names slots of their own."""
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.c.comprehensions[-1].add(part.id)
                if self.own:
                    self.scope.slot(part.id)
                elif part.id not in self.hidden:
                    self.hidden[part.id] = self.scope.slots.get(part.id)
                    self.scope.slots[part.id] = self.c.hidden_slot(self.scope)

    def leave(self) -> None:
        """Give the names back."""
        self.c.comprehensions.pop()
        for name, index in self.hidden.items():
            if index is None:
                del self.scope.slots[name]
            else:
                self.scope.slots[name] = index


Emit = Callable[[CallFrame, Any], None]


def _comprehension(
    c: Compiler,
    node: ast.ListComp | ast.SetComp | ast.DictComp,
    scope: Scope,
    element: Callable[[Scope], Emit],
    new: Callable[[], Any],
) -> Expression:
    first = _iterable(c, node.generators[0].iter, scope)
    inside = _Inside(c, node, scope)
    if any(generator.is_async for generator in node.generators):
        c.refuse(node, "asynchronous code is not run here: write it without async and await")
    levels = _levels(c, node.generators, inside)
    emit = element(inside.scope)
    inside.leave()
    loop = _nest(c, levels, emit)
    own, in_class, inner = inside.own, inside.in_class, inside.scope

    def run(f: CallFrame) -> Any:
        out = new()
        source = first(f)
        if own:
            f = [f[0] if in_class else f, *[UNSET] * (inner.count - 1)]
        loop(f, source, out)
        return out

    return run


Level = tuple[Expression | None, Store, list[Expression], Position]


def _levels(c: Compiler, generators: list[ast.comprehension], inside: _Inside) -> list[Level]:
    levels: list[Level] = []
    for number, generator in enumerate(generators):
        source = _iterable(c, generator.iter, inside.scope) if number else None
        inside.variables(generator.target)
        put = _store_variable(c, generator.target, inside.scope)
        levels.append((source, put, c.expressions(generator.ifs, inside.scope), c.position(generator.iter)))
    return levels


def _iterable(c: Compiler, node: ast.expr, scope: Scope) -> Expression:
    c.iterables += 1
    try:
        return c.expression(node, scope)
    finally:
        c.iterables -= 1


def _store_variable(c: Compiler, target: ast.expr, scope: Scope) -> Store:
    recorder, c.recorder = c.recorder, None  # a comprehension's variables are not the program's
    try:
        return store(c, target, scope)
    finally:
        c.recorder = recorder


def _nest(c: Compiler, levels: list[Level], emit: Emit) -> Callable[[CallFrame, Any, Any], None]:
    budget, session = c.budget, c.session
    (_, put, tests, position), *deeper = levels
    action = _inner_loop(c, deeper, emit) if deeper else emit
    if not tests:

        def loop_all(f: CallFrame, source: Any, out: Any) -> None:
            state.position = position
            if session.odd and isinstance(source, SETS):
                source = walked(source)
            for value in source:
                budget[0] -= 1
                if budget[0] < 0:
                    out_of_fuel(session)
                put(f, value)
                action(f, out)

        return loop_all

    def loop(f: CallFrame, source: Any, out: Any) -> None:
        state.position = position
        if session.odd and isinstance(source, SETS):
            source = walked(source)
        for value in source:
            budget[0] -= 1
            if budget[0] < 0:
                out_of_fuel(session)
            put(f, value)
            for test in tests:
                if not test(f):
                    break
            else:
                action(f, out)

    return loop


def _inner_loop(c: Compiler, levels: list[Level], emit: Emit) -> Emit:
    source, loop = levels[0][0], _nest(c, levels, emit)
    assert source is not None
    return lambda f, out: loop(f, source(f), out)


@expression(ast.ListComp)
def list_comprehension(c: Compiler, node: ast.ListComp, scope: Scope) -> Expression:
    def element(inner: Scope) -> Emit:
        value = c.expression(node.elt, inner)
        return lambda f, out: out.append(value(f))

    return _comprehension(c, node, scope, element, list)


@expression(ast.SetComp)
def set_comprehension(c: Compiler, node: ast.SetComp, scope: Scope) -> Expression:
    def element(inner: Scope) -> Emit:
        value = c.expression(node.elt, inner)

        def add(f: CallFrame, out: Any) -> None:
            item = value(f)
            if type(item) is not int and type(item) is not str:
                guard_key(item)
                note(item)
            probed(item, len(out))
            out.add(item)

        return add

    return _comprehension(c, node, scope, element, set)


@expression(ast.DictComp)
def dict_comprehension(c: Compiler, node: ast.DictComp, scope: Scope) -> Expression:
    def element(inner: Scope) -> Emit:
        key, value = c.expression(node.key, inner), c.expression(node.value, inner)

        def add(f: CallFrame, out: Any) -> None:
            k = key(f)
            guard_key(k)
            probed(k, len(out))
            out[k] = value(f)

        return add

    return _comprehension(c, node, scope, element, dict)


@expression(ast.GeneratorExp)
def generator_expression(c: Compiler, node: ast.GeneratorExp, scope: Scope) -> Expression:
    first = _iterable(c, node.generators[0].iter, scope)
    inside = _Inside(c, node, scope)
    levels = _levels(c, node.generators, inside)
    value = c.expression(node.elt, inside.scope)
    inside.leave()
    loop = _yielding(c, levels, value)
    in_class, inner, session, position = inside.in_class, inside.scope, c.session, levels[0][3]

    def start(f: CallFrame, source: Any) -> Iterator[Any]:
        try:
            yield from loop(f, source)
        except BaseException as exception:
            left = leaving_generator(exception)
            if left is not exception:
                raise left from None
            trail(exception).frames.append((state.position, GENEXPR))
            raise

    def run(f: CallFrame) -> Generator:
        source = first(f)
        state.position = position
        frame = [f[0] if in_class else f, *[UNSET] * (inner.count - 1)]
        return Generator(start(frame, iter(walked(source) if isinstance(source, SETS) else source)), GENEXPR, session)

    return run


def _yielding(c: Compiler, levels: list[Level], value: Expression) -> Callable[[CallFrame, Any], Iterator[Any]]:
    budget, session = c.budget, c.session
    (_, put, tests, _), *deeper = levels
    inner = _yielding(c, deeper, value) if deeper else None
    following = deeper[0][0] if deeper else None

    def loop(f: CallFrame, source: Any) -> Iterator[Any]:
        if session.odd and isinstance(source, SETS):
            source = walked(source)
        for item in source:
            budget[0] -= 1
            if budget[0] < 0:
                out_of_fuel(session)
            put(f, item)
            for test in tests:
                if not test(f):
                    break
            else:
                if inner is None or following is None:
                    yield value(f)
                else:
                    yield from inner(f, following(f))

    return loop
