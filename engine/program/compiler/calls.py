"""Calls. The common shapes (few positional arguments, a method of something) go straight to the callee's code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.program.attributes import admit_attribute, read
from engine.program.calls import admit_result, call
from engine.program.compiler.core import Compiler, Expression, expression
from engine.program.compiler.names import mangle, resolve, spread
from engine.program.compiler.operators import attribute_position
from engine.program.compiler.scope import Scope
from engine.program.errors import Position
from engine.program.methods import BY_NAME
from engine.program.values import UNSET, CallFrame, Function, Module, Super, out_of_fuel
from engine.state import state

Arguments = Callable[[CallFrame], tuple[tuple[Any, ...], dict[str, Any] | None]]


@expression(ast.Call)
def call_(c: Compiler, node: ast.Call, scope: Scope) -> Expression:
    function = node.func
    position = _position(c, node)
    if isinstance(function, ast.Name) and not node.keywords:
        special = _special(c, function.id, node, position, scope)
        if special is not None:
            return special
    plain = not node.keywords and not any(isinstance(arg, ast.Starred) for arg in node.args)
    if isinstance(function, ast.Attribute):
        return _method(c, function, node, plain, position, scope)
    target = c.expression(function, scope)
    if plain and len(node.args) <= 2:
        return _call_few(target, c.expressions(node.args, scope), position)
    arguments = _arguments(c, node, plain, position, scope)

    def run(f: CallFrame) -> Any:
        callee = target(f)
        args, kwargs = arguments(f)
        state.position = position
        try:
            if type(callee) is Function:
                return callee.code(callee, args, kwargs)
            return call(callee, args, kwargs)
        except Exception:
            state.position = position
            raise

    return run


def _position(c: Compiler, node: ast.Call) -> Position:
    position = c.position(node)
    if isinstance(node.func, ast.Attribute) and node.func.lineno != node.func.end_lineno:
        line, column, _, _ = attribute_position(c, node.func)
        return line, column, position[2], position[3]
    return position


def _call_few(target: Expression, arguments: list[Expression], position: Position) -> Expression:
    if not arguments:

        def call_0(f: CallFrame) -> Any:
            callee = target(f)
            state.position = position
            try:
                if type(callee) is Function:
                    return callee.code(callee, (), None)
                return call(callee, (), None)
            except Exception:
                state.position = position
                raise

        return call_0
    if len(arguments) == 1:
        only = arguments[0]

        def call_1(f: CallFrame) -> Any:
            callee = target(f)
            args = (only(f),)
            state.position = position
            try:
                if type(callee) is Function:
                    return callee.code(callee, args, None)
                return call(callee, args, None)
            except Exception:
                state.position = position
                raise

        return call_1
    first, second = arguments

    def call_2(f: CallFrame) -> Any:
        callee = target(f)
        args = (first(f), second(f))
        state.position = position
        try:
            if type(callee) is Function:
                return callee.code(callee, args, None)
            return call(callee, args, None)
        except Exception:
            state.position = position
            raise

    return call_2


def _arguments(c: Compiler, node: ast.Call, plain: bool, position: Position, scope: Scope) -> Arguments:
    if plain:
        parts = c.expressions(node.args, scope)
        return lambda f: (tuple([part(f) for part in parts]), None)
    positional: Callable[[CallFrame], Any]
    if any(isinstance(arg, ast.Starred) for arg in node.args):
        positional = spread(c, node.args, scope)
    else:
        parts = c.expressions(node.args, scope)

        def positional(f: CallFrame) -> Any:
            return [part(f) for part in parts]

    seen: set[str] = set()
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg in seen:
            c.invalid(keyword, f"keyword argument repeated: {keyword.arg}")
        seen.add(keyword.arg or "")
    named = [(keyword.arg, c.expression(keyword.value, scope)) for keyword in node.keywords]
    if not named:
        return lambda f: (tuple(positional(f)), None)
    if all(name is not None for name, _ in named):
        fixed = [(name, value) for name, value in named if name is not None]
        return lambda f: (tuple(positional(f)), {name: value(f) for name, value in fixed})

    def run(f: CallFrame) -> tuple[tuple[Any, ...], dict[str, Any]]:
        args = tuple(positional(f))
        kwargs: dict[str, Any] = {}
        for name, value in named:
            given = value(f)
            state.position = position
            if name is not None:
                more = {name: given}
            elif hasattr(type(given), "keys"):
                more = {key: given[key] for key in given.keys()}  # noqa: SIM118 - any mapping
            else:
                raise TypeError(f"argument after ** must be a mapping, not {type(given).__name__}")
            for key, item in more.items():
                if not isinstance(key, str):
                    raise TypeError("keywords must be strings")
                if key in kwargs:
                    raise TypeError(f"got multiple values for keyword argument '{key}'")
                kwargs[key] = item
        return args, kwargs

    return run


def _method(
    c: Compiler, function: ast.Attribute, node: ast.Call, plain: bool, position: Position, scope: Scope
) -> Expression:
    owner, name, at = c.expression(function.value, scope), mangle(function.attr, scope), attribute_position(c, function)
    native = BY_NAME.get(name, {}).get
    session, budget = c.session, c.budget
    direct, closed = session.direct, session.closed
    public = not name.startswith("_")
    module: Any = UNSET
    member: Any = None
    arguments = None if plain and len(node.args) <= 1 else _arguments(c, node, plain, position, scope)
    only = c.expression(node.args[0], scope) if arguments is None and node.args else None

    def run(f: CallFrame) -> Any:
        nonlocal module, member
        value = owner(f)
        kind = type(value)
        method = native(kind)
        target: Any = None
        if method is None:
            if value is module:
                target = member
            else:
                state.position = at
                own = direct.get(kind) if public else None
                if own is None:
                    target = read(value, name)
                    if kind is Module:
                        module, member = value, target
                else:
                    target = getattr(value, name)
                    if not own and type(target) not in closed:
                        target = admit_attribute(value, name, target)
        kwargs = None
        if arguments is not None:
            args, kwargs = arguments(f)
        elif only is not None:
            args = (only(f),)
        else:
            args = ()
        state.position = position
        try:
            if method is not None:
                return method(value, *args, **kwargs) if kwargs else method(value, *args)
            if type(target) is MethodType:
                inner = target.__func__
                if type(inner) is Function:
                    return inner.code(inner, (target.__self__, *args), kwargs)
                if not session.arrays:
                    budget[0] -= 1
                    if budget[0] < 0:
                        out_of_fuel(session)
                    result = target(*args, **kwargs) if kwargs else target(*args)
                    return result if type(result) in closed else admit_result(target, result)
            return call(target, args, kwargs)
        except Exception:
            state.position = position
            raise

    return run


# --- calls that need to know where they stand


def _special(c: Compiler, name: str, node: ast.Call, position: Position, scope: Scope) -> Expression | None:
    if name == "super" and not node.args:
        return _zero_argument_super(c, position, scope)
    if name in ("locals", "globals") and not node.args and name not in c.module.slots:
        return _variables(c, scope if name == "locals" else c.module)
    if name in ("vars", "dir") and not node.args and name not in c.module.slots:
        variables = _variables(c, scope)
        return variables if name == "vars" else lambda f: sorted(variables(f))
    return None


def _zero_argument_super(c: Compiler, position: Position, scope: Scope) -> Expression:
    function = scope.function
    kind, hops, index = resolve(c, "__class__", scope) if function is not None else ("global", 0, 0)
    depth = 0
    walk: Scope | None = scope
    while walk is not None and walk is not function:
        depth += 1
        walk = walk.parent

    def run(f: CallFrame) -> Any:
        state.position = position
        if kind == "global":
            raise RuntimeError("super(): no arguments" if function is None else "super(): __class__ cell not found")
        home = f
        for _ in range(depth):
            home = home[0]
        frame = f
        for _ in range(hops):
            frame = frame[0]
        owner = frame[index]
        if owner is UNSET:
            raise RuntimeError("super(): empty __class__ cell")
        if len(home) < 2 or home[1] is UNSET:
            raise RuntimeError("super(): no arguments")
        return Super(owner, home[1])

    return run


def _variables(c: Compiler, scope: Scope) -> Expression:
    g = c.frame

    def run(f: CallFrame) -> dict[str, Any]:
        frame = g if scope is c.module else f
        return {
            name: frame[index]
            for name, index in scope.slots.items()
            if frame[index] is not UNSET and name.isidentifier()
        }

    return run
