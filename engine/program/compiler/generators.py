"""Functions that yield. Their statements are compiled a second way, as Python generators of a frame.

Statements without `yield` keep their ordinary form. A `yield` inside an expression is evaluated first, into a hidden
variable, together with everything that stands before it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Sequence
from collections.abc import Generator as PyGenerator
from typing import Any

from engine.core.state import state
from engine.limits import LimitExceeded
from engine.program.admission import caught
from engine.program.compiler.control import Handler, find_handler, handlers
from engine.program.compiler.core import BREAK, CONTINUE, Compiler, Expression, expression
from engine.program.compiler.names import store
from engine.program.compiler.patterns import compile_cases
from engine.program.compiler.scope import Scope
from engine.program.errors import Position
from engine.program.exceptions import end_if_machines, trail, unconverted
from engine.program.handling import CATCHABLE, abandon, enter, handled, handled_no_more, leave, leave_raised
from engine.program.hashing import SETS, walked
from engine.program.values import CallFrame, out_of_fuel

INTERRUPTING: Any = (*CATCHABLE, GeneratorExit)
"""What ends a `try` block of a generator: closing it too."""

Running = PyGenerator[Any, Any, Any]
GeneratorStatement = Callable[[CallFrame], Any]
"""A Python generator function; what it returns is the statement's result."""

_COMPOSITE: dict[type[ast.stmt], Callable[[Compiler, Any, Scope], GeneratorStatement]] = {}


def has_yield(node: Any) -> bool:
    """Whether code yields, not looking into nested functions."""
    todo: list[Any] = list(node) if isinstance(node, list) else [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Yield | ast.YieldFrom):
            return True
        if isinstance(part, ast.FunctionDef | ast.Lambda | ast.ClassDef | ast.GeneratorExp):
            continue
        todo.extend(ast.iter_child_nodes(part))
    return False


@expression(ast.Yield, ast.YieldFrom)
def misplaced(c: Compiler, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Expression:
    if scope.function is None:
        c.invalid(node, "'yield' outside function")
    c.refuse(node, "yield inside this expression is not run here: assign it to a variable first")


def compile_generator(c: Compiler, body: list[ast.stmt] | ast.expr, scope: Scope) -> GeneratorStatement:
    """The body of a generator function."""
    if isinstance(body, ast.expr):
        body = [ast.copy_location(ast.Expr(body), body)]
    return _block(c, body, scope)


def _block(c: Compiler, body: Sequence[ast.stmt], scope: Scope) -> GeneratorStatement:
    steps = [_statement(c, node, scope) for node in body]
    budget, session, count, position = c.budget, c.session, len(steps), c.position(body[0])

    def run(f: CallFrame) -> Running:
        budget[0] -= count
        if budget[0] < 0:
            out_of_fuel(session, position)
        for yields, step in steps:
            result = (yield from step(f)) if yields else step(f)
            if result is not None:
                return result
        return None

    return run


def _statement(c: Compiler, node: ast.stmt, scope: Scope) -> tuple[bool, Any]:
    if not has_yield(node):
        return False, c.statement(node, scope)
    composite = _COMPOSITE.get(type(node))
    if composite is not None:
        return True, composite(c, node, scope)
    prelude, changed = _hoisted(c, node, scope)
    step = c.statement(changed, scope)

    def run(f: CallFrame) -> Running:
        yield from prelude(f)
        return step(f)

    return True, run


# --- yields inside expressions

Step = tuple[str, int, Expression, Position]
"""What a value that stands before or in a yield is (`value`, `yield` or `from`), its slot, how to get it, where."""


def _hoisted(c: Compiler, node: Any, scope: Scope) -> tuple[GeneratorStatement, Any]:
    steps: list[Step] = []
    changed = _hoist(c, node, scope, steps)

    def prelude(f: CallFrame) -> Running:
        for kind, index, value, position in steps:
            found = value(f)
            if kind == "value":
                f[index] = found
                continue
            try:
                if kind == "yield":
                    f[index] = yield found
                else:
                    state.position = position
                    f[index] = yield from walked(found) if isinstance(found, SETS) else found
            except BaseException:
                state.position = position
                raise

    return prelude, changed


def _hoist(c: Compiler, node: Any, scope: Scope, steps: list[Step]) -> Any:
    if not has_yield(node):
        return node
    first = node.values[0] if isinstance(node, ast.BoolOp) else node.test if isinstance(node, ast.IfExp) else None
    if first is not None and has_yield(first):
        changed = copy.copy(node)
        moved = _hoist(c, first, scope, steps)
        if isinstance(changed, ast.BoolOp):
            changed.values = [moved, *changed.values[1:]]
        else:
            changed.test = moved
        if not has_yield(changed):
            return changed
    if isinstance(node, ast.BoolOp | ast.IfExp | ast.ListComp | ast.SetComp | ast.DictComp | ast.NamedExpr):
        c.refuse(node, "yield inside this expression is not run here: assign it to a variable first")
    if isinstance(node, ast.Yield | ast.YieldFrom):
        inner = _hoist(c, node.value, scope, steps) if node.value is not None else None
        value = (lambda f: None) if inner is None else c.expression(inner, scope)
        return _temporary(c, node, scope, steps, "from" if isinstance(node, ast.YieldFrom) else "yield", value)
    changed = copy.copy(node)
    parts = [
        (field, value) for field, value in ast.iter_fields(node) if field not in ("targets", "target", "ctx", "op")
    ]
    last = max(
        index
        for index, (_, value) in enumerate(parts)
        if has_yield(value if isinstance(value, list) else [value] if isinstance(value, ast.AST) else [])
    )
    for index, (field, value) in enumerate(parts[: last + 1]):
        if isinstance(value, list):
            until = max(
                (i for i, item in enumerate(value) if has_yield(item)), default=-1 if index == last else len(value)
            )
            setattr(
                changed, field, [_before(c, item, scope, steps) if i <= until else item for i, item in enumerate(value)]
            )
        elif isinstance(value, ast.expr):
            setattr(changed, field, _before(c, value, scope, steps))
    return changed


def _before(c: Compiler, node: Any, scope: Scope, steps: list[Step]) -> Any:
    if has_yield(node):
        return _hoist(c, node, scope, steps)
    if not isinstance(node, ast.expr) or isinstance(node, ast.Constant | ast.Starred):
        return node
    if isinstance(node, ast.Attribute):
        return node
    return _temporary(c, node, scope, steps, "value", c.expression(node, scope))


def _temporary(
    c: Compiler, node: ast.expr, scope: Scope, steps: list[Step], kind: str, value: Expression
) -> ast.Name:
    name = f".{scope.count}"
    steps.append((kind, scope.slot(name), value, c.position(node)))
    return ast.copy_location(ast.Name(name, ast.Load()), node)


# --- compound statements


def _composite(*kinds: type[ast.stmt]) -> Callable[[Any], Any]:
    def register(how: Any) -> Any:
        for kind in kinds:
            _COMPOSITE[kind] = how
        return how

    return register


@_composite(ast.If)
def _if(c: Compiler, node: ast.If, scope: Scope) -> GeneratorStatement:
    prelude, test_node = _hoisted(c, node.test, scope)
    test = c.expression(test_node, scope)
    body = _block(c, node.body, scope)
    orelse = _block(c, node.orelse, scope) if node.orelse else None

    def run(f: CallFrame) -> Running:
        yield from prelude(f)
        if test(f):
            return (yield from body(f))
        return None if orelse is None else (yield from orelse(f))

    return run


@_composite(ast.While)
def _while(c: Compiler, node: ast.While, scope: Scope) -> GeneratorStatement:
    prelude, test_node = _hoisted(c, node.test, scope)
    test = c.expression(test_node, scope)
    scope.loops += 1
    body = _block(c, node.body, scope)
    scope.loops -= 1
    orelse = _block(c, node.orelse, scope) if node.orelse else None

    def run(f: CallFrame) -> Running:
        while True:
            yield from prelude(f)
            if not test(f):
                break
            result = yield from body(f)
            if result is BREAK:
                return None
            if result is not None and result is not CONTINUE:
                return result
        return None if orelse is None else (yield from orelse(f))

    return run


@_composite(ast.For)
def _for(c: Compiler, node: ast.For, scope: Scope) -> GeneratorStatement:
    prelude, source_node = _hoisted(c, node.iter, scope)
    source, position = c.expression(source_node, scope), c.position(node.iter)
    put = store(c, node.target, scope)
    scope.loops += 1
    body = _block(c, node.body, scope)
    scope.loops -= 1
    orelse = _block(c, node.orelse, scope) if node.orelse else None

    def run(f: CallFrame) -> Running:
        yield from prelude(f)
        values = source(f)
        state.position = position
        for value in walked(values) if isinstance(values, SETS) else values:
            put(f, value)
            result = yield from body(f)
            if result is BREAK:
                return None
            if result is not None and result is not CONTINUE:
                return result
        return None if orelse is None else (yield from orelse(f))

    return run


@_composite(ast.With)
def _with(c: Compiler, node: ast.With, scope: Scope) -> GeneratorStatement:
    run = _block(c, node.body, scope)
    for item in reversed(node.items):
        run = _one_with(c, item, run, scope)
    return run


def _one_with(c: Compiler, item: ast.withitem, body: GeneratorStatement, scope: Scope) -> GeneratorStatement:
    if has_yield(item.context_expr):
        c.refuse(item.context_expr, "yield inside this expression is not run here: assign it to a variable first")
    manager, position = c.expression(item.context_expr, scope), c.position(item.context_expr)
    put = None if item.optional_vars is None else store(c, item.optional_vars, scope)
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Running:
        context = manager(f)
        state.position = position
        value = enter(context)
        try:
            if put is not None:
                put(f, value)
            result = yield from body(f)
        except INTERRUPTING as exception:
            if session.over:
                raise
            end_if_machines(exception)
            if leave_raised(session, context, unconverted(exception), name):
                return None
            raise
        except LimitExceeded:
            abandon(context)
            raise
        leave(context, None)
        return result

    return run


@_composite(ast.Try)
def _try(c: Compiler, node: ast.Try, scope: Scope) -> GeneratorStatement:
    body = _block(c, node.body, scope)
    orelse = _block(c, node.orelse, scope) if node.orelse else None
    run = body
    if node.handlers:
        run = _handled(c, body, orelse, handlers(c, node, scope, lambda nodes, inside: _block(c, nodes, inside)), scope)
    return _finally(c, run, _block(c, node.finalbody, scope), scope) if node.finalbody else run


def _handled(
    c: Compiler, body: GeneratorStatement, orelse: GeneratorStatement | None, clauses: list[Handler], scope: Scope
) -> GeneratorStatement:
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Running:
        try:
            result = yield from body(f)
        except INTERRUPTING as exception:
            if session.over:
                raise
            raised = unconverted(exception)
            value, at = caught(raised, handled(session)), state.position
            clause = find_handler(clauses, value, f)
            if clause is None:
                state.position = at
                raise
            trail(raised).frames.append((at, name))
        else:
            if result is None and orelse is not None:
                return (yield from orelse(f))
            return result
        _, put, forget, handle, _ = clause
        session.handling.append(value)
        try:
            if put is not None:
                put(f, value)
            return (yield from handle(f))
        except INTERRUPTING as exception:
            caught(unconverted(exception), value)
            raise
        finally:
            handled_no_more(session, value)
            if forget is not None:
                forget(f)

    return run


def _finally(c: Compiler, body: GeneratorStatement, final: GeneratorStatement, scope: Scope) -> GeneratorStatement:
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Running:
        try:
            result = yield from body(f)
        except INTERRUPTING as exception:
            if session.over:
                raise
            end_if_machines(exception)
            # Without its traceback, which would keep every frame it passed alive.
            pending, at = unconverted(exception).with_traceback(None), state.position
        else:
            instead = yield from final(f)
            return result if instead is None else instead
        value, frames = caught(pending, handled(session)), trail(pending).frames
        frames.append((at, name))
        session.handling.append(value)
        try:
            instead = yield from final(f)
        except INTERRUPTING as exception:
            caught(unconverted(exception), value)
            raise
        finally:
            handled_no_more(session, value)
        if instead is not None:
            return instead
        frames.pop()
        state.position = at
        raise pending

    return run


@_composite(ast.Match)
def _match(c: Compiler, node: ast.Match, scope: Scope) -> GeneratorStatement:
    prelude, subject_node = _hoisted(c, node.subject, scope)
    subject = c.expression(subject_node, scope)
    cases = compile_cases(c, node, scope, lambda nodes, inside: _block(c, nodes, inside))

    def run(f: CallFrame) -> Running:
        yield from prelude(f)
        value = subject(f)
        for matches, guard, body in cases:
            if matches(f, value) and (guard is None or guard(f)):
                return (yield from body(f))
        return None

    return run
