"""Calls. The common shapes (few positional arguments, a method of something) go straight to the callee's code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.core.state import state
from engine.core.tensor import Tensor
from engine.program.arity import reword
from engine.program.attributes import admit_attribute, lasting, read
from engine.program.calls import admit_result, call, check_arguments, refuse, weigh_arguments
from engine.program.charges import grow, made
from engine.program.compiler.core import Compiler, Expression, expression
from engine.program.compiler.inspecting import owner_of
from engine.program.compiler.names import resolve
from engine.program.compiler.operators import attribute_position
from engine.program.compiler.scope import Scope, mangle
from engine.program.errors import Position
from engine.program.layouts import refuse_sparse
from engine.program.methods import BY_NAME
from engine.program.operators import iterable_value, listed
from engine.program.overrides import BUILTINS, in_builtin
from engine.program.values import UNSET, CallFrame, Function, Module, Super, out_of_fuel

Arguments = Callable[[CallFrame, Any], tuple[tuple[Any, ...], dict[str, Any] | None]]
"""Evaluates the arguments of a call; the callee is only there for error texts."""


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
        if _is_bare_super(function.value) and not shadowed("super", c, scope):
            return _super_method(c, mangle(function.attr, scope), node, plain, position, scope)
        return _method(c, function, node, plain, position, scope)
    target = c.expression(function, scope)
    if c.modes and isinstance(function, ast.Name) and function.id in BUILTINS and not shadowed(function.id, c, scope):
        return _builtin_in_modes(function.id, target, _arguments(c, node, plain, position, scope), position)
    if plain and len(node.args) <= 2:
        return _call_few(target, c.expressions(node.args, scope), position)
    arguments = _arguments(c, node, plain, position, scope)

    def run(f: CallFrame) -> Any:
        callee = target(f)
        args, kwargs = arguments(f, callee)
        state.position = position
        try:
            if type(callee) is Function:
                return callee.code(callee, args, kwargs)
            return call(callee, args, kwargs)
        except BaseException:
            state.position = position
            raise

    return run


def _builtin_in_modes(name: str, target: Expression, arguments: Arguments, position: Position) -> Expression:
    """A call of one of Python's functions that modes hear of where it is given a tensor."""

    def run(f: CallFrame) -> Any:
        callee = target(f)
        args, kwargs = arguments(f, callee)
        state.position = position
        if name == "print":
            texts = [in_builtin(name, (arg,)) for arg in args]
            args = tuple([arg if text is UNSET else text for arg, text in zip(args, texts, strict=True)])
        else:
            answer = in_builtin(name, args)
            if answer is not UNSET:
                return answer
        return call(callee, args, kwargs)

    return run


def _is_bare_super(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "super"
        and not node.args
        and not node.keywords
    )


def shadowed(name: str, c: Compiler, scope: Scope) -> bool:
    """Whether the program has a variable of its own with a built-in's name."""
    within: Scope | None = scope
    while within is not None:
        if name in within.slots:
            return True
        within = within.parent
    return name in c.module.slots


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
            except BaseException:
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
            except BaseException:
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
        except BaseException:
            state.position = position
            raise

    return call_2


def _arguments(c: Compiler, node: ast.Call, plain: bool, position: Position, scope: Scope) -> Arguments:
    if plain:
        parts = c.expressions(node.args, scope)
        return lambda f, callee: (tuple([part(f) for part in parts]), None)
    positional = _positional(c, node.args, position, scope)
    seen: set[str] = set()
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg in seen:
            c.invalid(keyword, f"keyword argument repeated: {keyword.arg}")
        seen.add(keyword.arg or "")
    named = [(keyword.arg, c.expression(keyword.value, scope)) for keyword in node.keywords]
    if not named:
        return lambda f, callee: (tuple(positional(f, callee)), None)
    if len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
        return _starred_and_named(c, node.args[0].value, _keywords(named, position), position, scope)
    if all(name is not None for name, _ in named):
        fixed = [(name, value) for name, value in named if name is not None]
        return lambda f, callee: (tuple(positional(f, callee)), {name: value(f) for name, value in fixed})
    keywords = _keywords(named, position)
    return lambda f, callee: (tuple(positional(f, callee)), _strings(keywords(f, callee)))


Named = Callable[[CallFrame, Any], dict[Any, Any]]


def _starred_and_named(
    c: Compiler, starred: ast.expr, keywords: Named, position: Position, scope: Scope
) -> Arguments:
    """`f(*values, name=value)`: Python iterates over the values when all is evaluated."""
    values = c.expression(starred, scope)

    def run(f: CallFrame, callee: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        found = values(f)
        named = keywords(f, callee)
        state.position = position
        return tuple(_spread(found, callee)), _strings(named)

    return run


def _keywords(named: list[tuple[str | None, Expression]], position: Position) -> Named:
    def run(f: CallFrame, callee: Any) -> dict[Any, Any]:
        kwargs: dict[str, Any] = {}
        for name, value in named:
            given = value(f)
            state.position = position
            if name is not None:
                more = {name: given}
            elif hasattr(type(given), "keys"):
                if isinstance(given, dict):
                    made(len(given))
                more = {key: given[key] for key in given.keys()}  # noqa: SIM118 - any mapping
            else:
                kind = type(given).__name__
                raise TypeError(f"{_called(callee)} argument after ** must be a mapping, not {kind}")
            for key, item in more.items():
                if key in kwargs and isinstance(key, str):
                    raise TypeError(f"{_called(callee)} got multiple values for keyword argument '{key}'")
                kwargs[key] = item
        return kwargs

    return run


def _strings(kwargs: dict[Any, Any]) -> dict[str, Any]:
    if not all([isinstance(key, str) for key in kwargs]):
        raise TypeError("keywords must be strings")
    return kwargs


def _positional(
    c: Compiler, nodes: list[ast.expr], position: Position, scope: Scope
) -> Callable[[CallFrame, Any], list[Any]]:
    if not any(isinstance(node, ast.Starred) for node in nodes):
        parts = c.expressions(nodes, scope)
        return lambda f, callee: [part(f) for part in parts]
    some = [
        (isinstance(node, ast.Starred), c.expression(node.value if isinstance(node, ast.Starred) else node, scope))
        for node in nodes
    ]

    def spread(f: CallFrame, callee: Any) -> list[Any]:
        values: list[Any] = []
        for many, part in some:
            value = part(f)
            if not many:
                values.append(value)
                continue
            state.position = position
            values.extend(_spread(value, callee))
            grow(len(values))
        return values

    return spread


def _spread(value: Any, callee: Any) -> Any:
    if not iterable_value(value):
        raise TypeError(f"{_called(callee)} argument after * must be an iterable, not {type(value).__name__}")
    return listed(value)


def _called(callee: Any) -> str:
    if isinstance(callee, MethodType):
        callee = callee.__func__
    if isinstance(callee, Function):
        return f"{callee.module}.{callee.qualname}()"
    name = getattr(callee, "__qualname__", None)
    if isinstance(name, str) and "<locals>" in name:
        name = callee.__name__
    if not isinstance(name, str):
        return f"{type(callee).__name__} object"
    return f"__main__.{name}()" if getattr(callee, "__module__", "") == "__main__" else f"{name}()"


def _method(
    c: Compiler, function: ast.Attribute, node: ast.Call, plain: bool, position: Position, scope: Scope
) -> Expression:
    name, at = mangle(function.attr, scope), attribute_position(c, function)
    owner = owner_of(c, function, at, scope)
    native = BY_NAME.get(name, {}).get
    session, budget = c.session, c.budget
    direct, closed = {} if c.modes else session.direct, session.closed
    public = not name.startswith("_")
    module: Any = UNSET
    member: Any = None
    arguments = None if plain and len(node.args) <= 1 else _arguments(c, node, plain, position, scope)
    only = c.expression(node.args[0], scope) if arguments is None and node.args else None

    epoch = session.epoch
    seen: Any = None
    when = -1
    found: Any = None

    def run(f: CallFrame) -> Any:
        nonlocal module, member, seen, when, found
        value = owner(f)
        kind = type(value)
        if kind is seen and epoch[0] == when and name not in value.__dict__:
            if arguments is not None:
                args, kwargs = arguments(f, found)
            elif only is not None:
                args, kwargs = (only(f),), None
            else:
                args, kwargs = (), None
            state.position = position
            try:
                return found.code(found, (value, *args), kwargs)
            except BaseException:
                state.position = position
                raise
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
                    if kind is Module and lasting(value, name):
                        module, member = value, target
                else:
                    target = getattr(value, name)
                    if not own and type(target) not in closed:
                        target = admit_attribute(value, name, target)
        kwargs = None
        if arguments is not None:
            args, kwargs = arguments(f, target)
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
                    if _defined_once(kind, value, name, inner, target):
                        seen, when, found = kind, epoch[0], inner
                    return inner.code(inner, (target.__self__, *args), kwargs)
                if not session.arrays and not kwargs and session.overrides is None:
                    budget[0] -= 1
                    if budget[0] < 0:
                        out_of_fuel(session)
                    if args and weigh_arguments(args):
                        check_arguments(target, args, kwargs, name=name)
                    if state.sparse:
                        refuse_sparse(target, args, kwargs)
                    result = target(*args)
                    return result if type(result) in closed else admit_result(target, result)
            return call(target, args, kwargs)
        except Exception as error:
            state.position = position
            if method is not None:
                if isinstance(error, TypeError):
                    reword(error, name, MethodType(method, value), args, kwargs)
            elif type(target) is not Function:
                space = value.name if kind is Module else "Tensor" if value is Tensor else ""
                refuse(error, target, args, kwargs, space, name)
            raise
        except BaseException:
            state.position = position
            raise

    return run


def _defined_once(kind: type, value: Any, name: str, function: Function, target: MethodType) -> bool:
    """Whether a method that was found is the class's own, so that the next call on such an object finds it too."""
    if target.__self__ is not value or not hasattr(value, "__dict__") or name in value.__dict__:
        return False
    return next((base.__dict__[name] for base in kind.__mro__ if name in base.__dict__), None) is function


# --- calls that need to know where they stand


def _special(c: Compiler, name: str, node: ast.Call, position: Position, scope: Scope) -> Expression | None:
    if node.args or name not in ("super", "locals", "globals", "vars", "dir") or shadowed(name, c, scope):
        return None
    if name == "super":
        return _zero_argument_super(c, position, scope)
    if name in ("locals", "globals"):
        return _variables(c, scope if name == "locals" else c.module)
    if name in ("vars", "dir"):
        variables = _variables(c, scope)
        return variables if name == "vars" else lambda f: sorted(variables(f))
    return None


def _zero_argument_super(c: Compiler, position: Position, scope: Scope) -> Expression:
    parts = _super_parts(c, position, scope)

    def run(f: CallFrame) -> Super:
        owner, instance = parts(f)
        return Super(owner, instance)

    return run


def _super_method(c: Compiler, name: str, node: ast.Call, plain: bool, position: Position, scope: Scope) -> Expression:
    """`super().name(…)` without making the `super` object when a class of the program defines the method."""
    parts = _super_parts(c, position, scope)
    arguments = _arguments(c, node, plain, position, scope)
    epoch = c.session.epoch
    known: dict[tuple[type, type], Function | None] = {}
    when = 0

    def run(f: CallFrame) -> Any:
        nonlocal when
        owner, instance = parts(f)
        if epoch[0] != when:
            known.clear()
            when = epoch[0]
        key = (owner, type(instance))
        if key in known:
            function = known[key]
        else:
            function = known[key] = _next_method(owner, type(instance), name)
        target = None if function is not None else read(Super(owner, instance), name)
        args, kwargs = arguments(f, target)
        state.position = position
        try:
            if function is not None:
                return function.code(function, (instance, *args), kwargs)
            return call(target, args, kwargs)
        except BaseException:
            state.position = position
            raise

    return run


def _next_method(owner: type, kind: type, name: str) -> Function | None:
    chain = kind.__mro__
    if owner not in chain:
        return None
    for base in chain[chain.index(owner) + 1 :]:
        if name in base.__dict__:
            found = base.__dict__[name]
            return found if type(found) is Function else None
    return None


def _super_parts(c: Compiler, position: Position, scope: Scope) -> Callable[[CallFrame], tuple[Any, Any]]:
    """The class and the instance that a bare `super()` means."""
    function = scope.function
    kind, hops, index = resolve(c, "__class__", scope) if function is not None else ("global", 0, 0)
    depth = 0
    walk: Scope | None = scope
    while walk is not None and walk is not function:
        depth += 1
        walk = walk.parent

    def home_of(f: CallFrame) -> CallFrame:
        for _ in range(depth):
            f = f[0]
        return f

    def run(f: CallFrame) -> tuple[Any, Any]:
        state.position = position
        if kind == "global":
            bare = function is None or len(home_of(f)) < 2
            raise RuntimeError("super(): no arguments" if bare else "super(): __class__ cell not found")
        home = home_of(f)
        frame = f
        for _ in range(hops):
            frame = frame[0]
        owner = frame[index]
        if owner is UNSET:
            raise RuntimeError("super(): empty __class__ cell")
        if len(home) < 2 or home[1] is UNSET:
            raise RuntimeError("super(): no arguments")
        return owner, home[1]

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
