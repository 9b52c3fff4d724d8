"""Statements that steer: if, return, raise, try, with, assert; and the simple ones.

`Stop`-like exceptions (LimitExceeded, MachineFailure) are no `Exception`: no handler of the program catches them and no
`finally` of the program runs for them, so a program cannot outlive its limits.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from engine.core.state import state
from engine.limits import LimitExceeded, meter
from engine.program import groups
from engine.program.admission import caught
from engine.program.calls import as_exception
from engine.program.compiler.core import Compiler, Expression, Statement, Store, statement
from engine.program.compiler.names import PLAIN, clear, slot_of, store, store_name
from engine.program.compiler.operators import tested
from engine.program.compiler.scope import ANNOTATIONS, Scope
from engine.program.errors import Position
from engine.program.exceptions import EXCEPTIONS, ExceptionValue, end_if_machines, host_exception, trail
from engine.program.handling import (
    CATCHABLE,
    abandon,
    enter,
    handled,
    handled_no_more,
    leave,
    leave_raised,
    matches,
    throw,
)
from engine.program.session import Session
from engine.program.values import UNSET, Builtin, CallFrame, NativeMethod

DONE_BY_CALLS = frozenset("backward step zero_grad train eval retain_grad zero_ detach_ requires_grad_ show".split())
"""What programs call for what it does: a statement that only names such a function has lost its parentheses."""
_CALLED = frozenset({MethodType, FunctionType, Builtin, NativeMethod})
"""Types of functions that need no more than parentheses: a method read from its class lacks its object."""

COST = 5
"""Steps that catching an exception is charged."""


@statement(ast.Expr)
def expression_statement(c: Compiler, node: ast.Expr, scope: Scope) -> Statement:
    if isinstance(node.value, ast.Constant):
        return lambda f: None
    value = c.expression(node.value, scope)
    if isinstance(node.value, ast.Attribute) and node.value.attr in DONE_BY_CALLS:
        return _not_called(c, node.value, value)

    def run(f: CallFrame) -> None:
        value(f)

    return run


def _not_called(c: Compiler, node: ast.Attribute, value: Expression) -> Statement:
    text, position, session = ast.unparse(node), c.position(node), c.session

    def run(f: CallFrame) -> None:
        if type(value(f)) in _CALLED:
            state.position = position
            session.notice(f"Nothing calls {text} here: write {text}().")

    return run


@statement(ast.Pass)
def pass_(c: Compiler, node: ast.Pass, scope: Scope) -> Statement:
    return lambda f: None


@statement(ast.Assign)
def assign(c: Compiler, node: ast.Assign, scope: Scope) -> Statement:
    value = c.expression(node.value, scope)
    if len(node.targets) == 1:
        target = node.targets[0]
        slot = slot_of(c, target, scope)
        if slot is not None:
            return _assign_slot(c, slot[0], target, value, scope)
        put = store(c, target, scope)

        def run_one(f: CallFrame) -> None:
            put(f, value(f))

        return run_one
    puts = [store(c, target, scope) for target in node.targets]

    def run(f: CallFrame) -> None:
        result = value(f)
        for put in puts:
            put(f, result)

    return run


def _assign_slot(c: Compiler, index: int, target: ast.expr, value: Expression, scope: Scope) -> Statement:
    if c.recorder is not None and isinstance(target, ast.Name) and scope.kind in ("module", "function"):
        bind, name, position = c.recorder.bind, target.id, c.position(target)

        def run_recorded(f: CallFrame) -> None:
            f[index] = result = value(f)
            if type(result) not in PLAIN:
                state.position = position
                bind(name, result)

        return run_recorded

    def run(f: CallFrame) -> None:
        f[index] = value(f)

    return run


@statement(ast.AnnAssign)
def annotated(c: Compiler, node: ast.AnnAssign, scope: Scope) -> Statement:
    if scope.kind == "class" and isinstance(node.target, ast.Name):
        name, index = node.target.id, scope.slot(ANNOTATIONS)
        annotation = c.annotation(node.annotation, scope)
        put = None if node.value is None else store(c, node.target, scope)
        value = None if node.value is None else c.expression(node.value, scope)

        def run_in_class(f: CallFrame) -> None:
            if put is not None and value is not None:
                put(f, value(f))
            if f[index] is UNSET:
                f[index] = {}
            f[index][name] = annotation(f)

        return run_in_class
    parts = [] if node.value is not None else [c.expression(part, scope) for part in _parts(node.target)]
    if scope.kind == "module" and isinstance(node.target, ast.Name) and node.simple:
        parts.append(_noted(c, node.target.id, c.annotation(node.annotation, scope)))
    elif scope.kind == "module" and not c.postponed:
        parts.append(c.annotation(node.annotation, scope))
    if node.value is not None:
        copied = ast.copy_location(ast.Assign([node.target], node.value), node)
        made: Statement = assign(c, copied, scope)
        if not parts:
            return made

        def run_assigned(f: CallFrame) -> None:
            made(f)
            parts[0](f)

        return run_assigned

    def run(f: CallFrame) -> None:
        for part in parts:
            part(f)

    return run


def _noted(c: Compiler, name: str, annotation: Expression) -> Expression:
    """What keeps an annotation of the module's in its `__annotations__`."""
    frame, index = c.frame, c.global_slot(ANNOTATIONS)

    def note(f: CallFrame) -> Any:
        if frame[index] is UNSET:
            frame[index] = {}
        if type(frame[index]) is dict:
            frame[index][name] = annotation(f)

    return note


def _parts(target: ast.expr) -> list[ast.expr]:
    """What is evaluated of a target to which nothing is assigned."""
    match target:
        case ast.Attribute():
            return [target.value]
        case ast.Subscript():
            return [target.value, target.slice]
    return []


@statement(ast.If)
def if_(c: Compiler, node: ast.If, scope: Scope) -> Statement:
    test, position = tested(c, node.test, scope), c.position(node.test)
    body = c.block(node.body, scope)
    orelse = c.block(node.orelse, scope) if node.orelse else None

    def run(f: CallFrame) -> Any:
        value = test(f)
        if value is not True and value is not False:
            state.position = position
        if value:
            return body(f)
        return None if orelse is None else orelse(f)

    return run


@statement(ast.Return)
def return_(c: Compiler, node: ast.Return, scope: Scope) -> Statement:
    if scope.kind != "function":
        c.invalid(node, "'return' outside function")
    if node.value is None:
        return lambda f: (None,)
    value = c.expression(node.value, scope)
    return lambda f: (value(f),)


@statement(ast.Assert)
def assert_(c: Compiler, node: ast.Assert, scope: Scope) -> Statement:
    test, position = tested(c, node.test, scope), c.position(node)
    message = None if node.msg is None else c.expression(node.msg, scope)

    def run(f: CallFrame) -> None:
        value = test(f)
        state.position = position
        if not value:
            args = () if message is None else (message(f),)
            state.position = position
            throw(EXCEPTIONS["AssertionError"](*args), c.session)

    return run


# --- raise


@statement(ast.Raise)
def raise_(c: Compiler, node: ast.Raise, scope: Scope) -> Statement:
    position, session = c.position(node), c.session
    if node.exc is None:
        return _reraise(session, position)
    exception = c.expression(node.exc, scope)
    cause = None if node.cause is None else c.expression(node.cause, scope)

    def run(f: CallFrame) -> None:
        raised = exception(f)
        because = None if cause is None else cause(f)
        state.position = position
        value = as_exception(raised, "exceptions must derive from BaseException")
        if cause is not None:
            if because is not None:
                because = as_exception(because, "exception causes must derive from BaseException")
            value.__dict__["__cause__"] = because
            value.__dict__["__suppress_context__"] = True
        state.position = position
        throw(value, session)

    return run


def _reraise(session: Session, position: Position) -> Statement:
    def run(f: CallFrame) -> None:
        state.position = position
        if not session.handling:
            raise RuntimeError("No active exception to reraise")
        exception = host_exception(session.handling[-1])
        frames = trail(exception).frames
        if frames:
            state.position = frames.pop()[0] or position
        raise exception from None

    return run


# --- try

Handler = tuple[Expression | None, Store | None, Callable[[CallFrame], None] | None, Statement, Position]
"""Types, store for the name, what forgets the name, body, where it stands."""


@statement(ast.Try)
def try_(c: Compiler, node: ast.Try, scope: Scope) -> Statement:
    body = c.block(node.body, scope)
    orelse = c.block(node.orelse, scope) if node.orelse else None
    run = with_handlers(c, body, orelse, handlers(c, node, scope, c.block), scope) if node.handlers else body
    return with_finally(c, run, c.block(node.finalbody, scope), scope) if node.finalbody else run


def handlers(c: Compiler, node: ast.Try | ast.TryStar, scope: Scope, block: Callable[..., Any]) -> list[Handler]:
    """The `except` clauses: (types, store, forget the name, body)."""
    made: list[Handler] = []
    for index, handler in enumerate(node.handlers):
        if handler.type is None and index < len(node.handlers) - 1:
            c.invalid(handler, "default 'except:' must be last")
        types = None if handler.type is None else c.expression(handler.type, scope)
        put = forget = None
        if handler.name is not None:
            put, forget = store_name(c, handler.name, scope), clear(c, handler.name, scope)
        made.append((types, put, forget, block(handler.body, scope), c.position(handler)))
    return made


def find_handler(clauses: list[Handler], value: ExceptionValue, f: CallFrame) -> Handler | None:
    """The clause that catches an exception."""
    for clause in clauses:
        state.position = clause[4]
        if clause[0] is None or matches(value, clause[0](f)):
            return clause
    return None


def with_handlers(
    c: Compiler, body: Statement, orelse: Statement | None, clauses: list[Handler], scope: Scope
) -> Statement:
    """`try: … except …: … else: …`."""
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Any:
        try:
            result = body(f)
        except CATCHABLE as exception:
            value, at = caught(exception, handled(session)), state.position
            clause = find_handler(clauses, value, f)
            if clause is None:
                state.position = at
                raise
            trail(exception).frames.append((at, name))
            meter.charge(COST)
        else:
            if result is None and orelse is not None:
                return orelse(f)
            return result
        # Outside the except block: inside it, Python would chain every later exception to this one.
        _, put, forget, handle, _ = clause
        session.handling.append(value)
        try:
            if put is not None:
                put(f, value)
            return handle(f)
        except CATCHABLE as exception:
            caught(exception, value)
            raise
        finally:
            handled_no_more(session, value)
            if forget is not None:
                forget(f)

    return run


@statement(ast.TryStar)
def try_star(c: Compiler, node: ast.TryStar, scope: Scope) -> Statement:
    for handler in node.handlers:
        if any(isinstance(part, ast.Return) for part in handler.body):
            c.invalid(handler, "'break', 'continue' and 'return' cannot appear in an except* block")
    body = c.block(node.body, scope)
    orelse = c.block(node.orelse, scope) if node.orelse else None
    run = _with_parts(c, body, orelse, handlers(c, node, scope, c.block), scope)
    return with_finally(c, run, c.block(node.finalbody, scope), scope) if node.finalbody else run


def _with_parts(
    c: Compiler, body: Statement, orelse: Statement | None, clauses: list[Handler], scope: Scope
) -> Statement:
    """`try: … except* …: …`: each clause takes its part of a group, and what is left is raised."""
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Any:
        try:
            result = body(f)
        except CATCHABLE as exception:
            end_if_machines(exception)
            value, at = caught(exception, handled(session)), state.position
            trail(exception).frames.append((at, name))
            meter.charge(COST)
        else:
            return orelse(f) if result is None and orelse is not None else result
        rest: Any = value
        raised: list[Any] = []
        again: list[Any] = []
        for types, put, forget, handle, position in clauses:
            if rest is None:
                break
            state.position = position
            assert types is not None
            try:
                part, rest = groups.taken(rest, types(f))
            except CATCHABLE as exception:
                caught(exception, value)
                raise
            if part is None:
                continue
            session.handling.append(part)
            try:
                if put is not None:
                    put(f, part)
                handle(f)
            except CATCHABLE as exception:
                error = caught(exception, part)
                (again if error is part else raised).append(error)
            finally:
                handled_no_more(session, part)
                if forget is not None:
                    forget(f)
        outcome = groups.left(value, raised, again if rest is None else [*again, rest])
        if outcome is None:
            return None
        if outcome is rest or not raised:
            state.position = at
        raise host_exception(outcome) from None

    return run


def with_finally(c: Compiler, body: Statement, final: Statement, scope: Scope) -> Statement:
    """`try: … finally: …`. The `finally` block does not run when a limit stops the program."""
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Any:
        try:
            result = body(f)
        except CATCHABLE as exception:
            end_if_machines(exception)
            meter.charge(COST)
            # Without its traceback, which would keep every frame it passed alive.
            pending, at = exception.with_traceback(None), state.position
        else:
            instead = final(f)
            return result if instead is None else instead
        value, frames = caught(pending, handled(session)), trail(pending).frames
        frames.append((at, name))
        session.handling.append(value)
        try:
            instead = final(f)
        except CATCHABLE as exception:
            caught(exception, value)
            raise
        finally:
            handled_no_more(session, value)
        if instead is not None:
            return instead
        frames.pop()
        state.position = at
        raise pending

    return run


# --- with


@statement(ast.With)
def with_(c: Compiler, node: ast.With, scope: Scope) -> Statement:
    run = c.block(node.body, scope)
    for item in reversed(node.items):
        run = _one_with(c, item, run, scope)
    return run


def _one_with(c: Compiler, item: ast.withitem, body: Statement, scope: Scope) -> Statement:
    manager, position = c.expression(item.context_expr, scope), c.position(item.context_expr)
    put = None if item.optional_vars is None else store(c, item.optional_vars, scope)
    session, name = c.session, scope.name

    def run(f: CallFrame) -> Any:
        context = manager(f)
        state.position = position
        value = enter(context)
        try:
            if put is not None:
                put(f, value)
            result = body(f)
        except CATCHABLE as exception:
            end_if_machines(exception)
            at = state.position
            if leave_raised(session, context, exception, name):
                return None
            state.position = at
            raise
        except LimitExceeded:
            abandon(context)
            raise
        state.position = position
        leave(context, None)
        return result

    return run

