"""Names: loading, storing, deleting, declaring, importing, and the literals that need no look-up."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Container
from typing import Any

from engine.core.state import state
from engine.program.absent import Absent
from engine.program.attributes import erase, read_only, write
from engine.program.builtins import BUILTINS
from engine.program.charges import grow
from engine.program.compiler.core import Compiler, Expression, Statement, Store, expression, statement
from engine.program.compiler.scope import Scope, mangle
from engine.program.errors import Position
from engine.program.exceptions import trail
from engine.program.hashing import SETS, arranged, walked
from engine.program.items import assign_item, delete_item
from engine.program.operators import NESTING, items, iterable_value, listed
from engine.program.overrides import in_modes
from engine.program.stdlib import import_from, import_module, import_star
from engine.program.values import UNSET, CallFrame, Silent

PLAIN: frozenset[type] = frozenset({int, float, bool, str, type(None), complex})
"""Types of values that a recorder has no use for."""


def resolve(c: Compiler, name: str, scope: Scope) -> tuple[str, int, int]:
    """Where a name lives: ("local", 0, slot), ("free", frames outwards, slot) or ("global", 0, slot)."""
    if name in scope.globals or scope is c.module:
        return "global", 0, c.global_slot(name)
    hops = 0
    within: Scope | None = scope
    while within is not None and within is not c.module:
        if name in within.globals:
            break
        index = within.slots.get(name)
        if index is not None and name not in within.nonlocals:
            return ("local" if hops == 0 else "free"), hops, index
        hops += 1
        within = within.parent
    return "global", 0, c.global_slot(name)


def home_of(c: Compiler, scope: Scope, kind: str, hops: int) -> Scope:
    """The scope whose frame has a resolved name."""
    if kind == "global":
        return c.module
    for _ in range(hops):
        assert scope.parent is not None
        scope = scope.parent
    return scope


def unset(
    c: Compiler, name: str, scope: Scope, position: Position, kind: str, hops: int = 0
) -> Callable[[], Any]:
    """What to do when a variable has no value: raise what its import did not find, find a built-in of that name, or
    raise in CPython's words."""
    absent, key = c.session.absent, (home_of(c, scope, kind, hops), name)

    def find() -> Any:
        if key in absent:
            state.position = position
            raise absent[key].error()
        if kind == "global":
            found = BUILTINS.get(name, UNSET)
            if found is not UNSET:
                return found
            state.position = position
            error = NameError(f"name '{name}' is not defined", name=name)
            if (c.module, "*") in absent:
                trail(error).hint = f"{name} may be a name that import * did not find: {absent[c.module, '*'].hint}"
            raise error
        state.position = position
        if kind == "local":
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        raise NameError(
            f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope",
            name=name,
        )

    return find


def slot_of(c: Compiler, node: ast.expr, scope: Scope) -> tuple[int, Callable[[], Any]] | None:
    """The slot of a variable of the current frame and what to do when it is unset; None for anything else."""
    if type(node) is not ast.Name:
        return None
    name = mangle(node.id, scope)
    if scope is c.module:
        if name not in c.module.slots and name in BUILTINS:
            return None
        return c.global_slot(name), unset(c, name, scope, c.position(node), "global")
    kind, _, index = resolve(c, name, scope)
    if kind != "local" or scope.kind == "class":
        return None
    return index, unset(c, name, scope, c.position(node), "local")


@expression(ast.Name)
def load_name(c: Compiler, node: ast.Name, scope: Scope) -> Expression:
    name = mangle(node.id, scope)
    kind, hops, index = "", 0, 0
    if scope.kind == "class" and name in scope.slots and name not in scope.globals:
        return _load_in_class(c, node, name, scope)
    if name in BUILTINS and name not in c.module.slots and not _bound_around(name, scope):
        value = BUILTINS[name]
        return lambda f: value
    kind, hops, index = resolve(c, name, scope)
    find = unset(c, name, scope, c.position(node), kind, hops)
    if kind == "global":
        g = c.frame

        def load_global(f: CallFrame) -> Any:
            value = g[index]
            if value is UNSET:
                return find()
            return value

        return load_global
    return _load_slot(hops, index, find)


def _bound_around(name: str, scope: Scope | None) -> bool:
    while scope is not None:
        if name in scope.slots:
            return True
        scope = scope.parent
    return False


def _load_slot(hops: int, index: int, find: Callable[[], Any]) -> Expression:
    if hops == 0:

        def load_local(f: CallFrame) -> Any:
            value = f[index]
            if value is UNSET:
                return find()
            return value

        return load_local
    if hops == 1:

        def load_enclosing(f: CallFrame) -> Any:
            value = f[0][index]
            if value is UNSET:
                return find()
            return value

        return load_enclosing

    def load_outer(f: CallFrame) -> Any:
        for _ in range(hops):
            f = f[0]
        value = f[index]
        if value is UNSET:
            return find()
        return value

    return load_outer


def _load_in_class(c: Compiler, node: ast.Name, name: str, scope: Scope) -> Expression:
    index = scope.slots[name]
    assert scope.parent is not None
    kind, hops, outer = resolve(c, name, scope.parent)
    find = unset(c, name, scope.parent, c.position(node), "global" if kind == "global" else "free", hops)
    g = c.frame

    def load(f: CallFrame) -> Any:
        value = f[index]
        if value is not UNSET:
            return value
        if kind == "global":
            value = g[outer]
        else:
            frame = f[0]
            for _ in range(hops):
                frame = frame[0]
            value = frame[outer]
        return find() if value is UNSET else value

    return load


@expression(ast.Constant)
def load_constant(c: Compiler, node: ast.Constant, scope: Scope) -> Expression:
    value = node.value
    return lambda f: value


# --- storing


def store(c: Compiler, node: ast.expr, scope: Scope) -> Store:
    """The function that assigns a value to a target."""
    match node:
        case ast.Name():
            return store_name(c, node.id, scope, c.position(node))
        case ast.Attribute():
            return _store_attribute(c, node, scope)
        case ast.Subscript():
            return _store_item(c, node, scope)
        case ast.Tuple() | ast.List():
            return _unpack(c, node, scope)
        case ast.Starred():
            c.invalid(node, "starred assignment target must be in a list or tuple")
        case _:
            c.refuse(node)


def store_name(c: Compiler, name: str, scope: Scope, position: Position | None = None) -> Store:
    """Assign to a variable, telling the recorder if there is one; `position`: where the program names it."""
    name = mangle(name, scope)
    if name == "__debug__":
        c.invalid(ast.Name(name, lineno=1, col_offset=0, end_lineno=1, end_col_offset=0), "cannot assign to __debug__")
    kind, hops, index = resolve(c, name, scope)
    g = c.frame
    recorder = c.recorder if scope.kind in ("module", "function") else None
    if recorder is not None:
        bind = recorder.bind

        def store_recorded(f: CallFrame, value: Any) -> None:
            frame = g if kind == "global" else f
            for _ in range(hops):
                frame = frame[0]
            frame[index] = value
            if type(value) not in PLAIN:
                if position is not None:
                    state.position = position
                bind(name, value)

        return store_recorded
    if kind == "global":

        def store_global(f: CallFrame, value: Any) -> None:
            g[index] = value

        return store_global
    if hops == 0:

        def store_local(f: CallFrame, value: Any) -> None:
            f[index] = value

        return store_local

    def store_outer(f: CallFrame, value: Any) -> None:
        for _ in range(hops):
            f = f[0]
        f[index] = value

    return store_outer


def clear(c: Compiler, name: str, scope: Scope) -> Callable[[CallFrame], None]:
    """The function that leaves a variable without a value."""
    kind, hops, index = resolve(c, name, scope)
    g = c.frame

    def forget(f: CallFrame) -> None:
        frame = g if kind == "global" else f
        for _ in range(hops):
            frame = frame[0]
        frame[index] = UNSET

    return forget


def _store_attribute(c: Compiler, node: ast.Attribute, scope: Scope) -> Store:
    target, name, position = c.expression(node.value, scope), mangle(node.attr, scope), c.position(node)
    writable: Container[type] = c.session.plain if name.startswith("_") else c.session.writable
    if name.startswith("__") or read_only(name) or c.modes:
        writable = ()

    def store_attribute(f: CallFrame, value: Any) -> None:
        owner = target(f)
        state.position = position
        if type(owner) in writable and type(value) not in NESTING:
            setattr(owner, name, value)
        else:
            write(owner, name, value)

    return store_attribute


def _store_item(c: Compiler, node: ast.Subscript, scope: Scope) -> Store:
    target, index, position = c.expression(node.value, scope), c.expression(node.slice, scope), c.position(node)
    put = in_modes(assign_item, "setitem") if c.modes else assign_item

    def store_item(f: CallFrame, value: Any) -> None:
        owner, key = target(f), index(f)
        state.position = position
        kind = type(key)
        if kind is str or kind is int and type(owner) is list:
            owner[key] = value
        else:
            put(owner, key, value)

    return store_item


def _unpack(c: Compiler, node: ast.Tuple | ast.List, scope: Scope) -> Store:
    position = c.position(node)
    starred = [index for index, element in enumerate(node.elts) if isinstance(element, ast.Starred)]
    if len(starred) > 1:
        c.invalid(node, "multiple starred expressions in assignment")
    stores = [store(c, element.value if isinstance(element, ast.Starred) else element, scope) for element in node.elts]
    count = len(stores)
    if starred:
        return _unpack_starred(stores, starred[0], position)
    if count == 2:
        first, second = stores

        def unpack_two(f: CallFrame, value: Any) -> None:
            state.position = position
            if isinstance(value, SETS):
                value = arranged(value)
            try:
                a, b = (value, value) if type(value) is Silent else value
            except TypeError:
                if iterable_value(value):
                    raise
                raise TypeError(f"cannot unpack non-iterable {_type_name(value)} object") from None
            first(f, a)
            second(f, b)

        return unpack_two

    def unpack(f: CallFrame, value: Any) -> None:
        state.position = position
        values = _exactly(value, count)
        for put, item in zip(stores, values, strict=True):
            put(f, item)

    return unpack


def _exactly(value: Any, count: int) -> Any:
    kind = type(value)
    if (kind is tuple or kind is list) and len(value) == count:
        return value
    if kind is Silent:
        return (value,) * count
    try:
        iterator = iter(walked(value) if isinstance(value, SETS) else value)
    except TypeError:
        raise TypeError(f"cannot unpack non-iterable {_type_name(value)} object") from None
    values: list[Any] = []
    for item in iterator:
        if len(values) == count:
            raise ValueError(f"too many values to unpack (expected {count})")
        values.append(item)
    if len(values) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(values)})")
    return values


def _type_name(value: Any) -> str:
    return type(value).__name__


def _unpack_starred(stores: list[Store], at: int, position: Position) -> Store:
    after = len(stores) - at - 1

    def unpack(f: CallFrame, value: Any) -> None:
        state.position = position
        try:
            values = list(items(value))
        except TypeError:
            raise TypeError(f"cannot unpack non-iterable {_type_name(value)} object") from None
        if len(values) < at + after:
            raise ValueError(f"not enough values to unpack (expected at least {at + after}, got {len(values)})")
        middle = len(values) - after
        spread = [*values[:at], values[at:middle], *values[middle:]]
        for put, item in zip(stores, spread, strict=True):
            put(f, item)

    return unpack


# --- deleting


@statement(ast.Delete)
def delete(c: Compiler, node: ast.Delete, scope: Scope) -> Statement:
    steps = [_delete_target(c, target, scope) for target in node.targets]

    def run(f: CallFrame) -> None:
        for step in steps:
            step(f)

    return run


def _delete_target(c: Compiler, node: ast.expr, scope: Scope) -> Statement:
    position = c.position(node)
    match node:
        case ast.Name():
            return _delete_name(c, node, scope)
        case ast.Attribute():
            owner, name = c.expression(node.value, scope), mangle(node.attr, scope)

            def delete_attribute(f: CallFrame) -> None:
                target = owner(f)
                state.position = position
                erase(target, name)

            return delete_attribute
        case ast.Subscript():
            owner, index = c.expression(node.value, scope), c.expression(node.slice, scope)

            def delete_subscript(f: CallFrame) -> None:
                target, key = owner(f), index(f)
                state.position = position
                delete_item(target, key)

            return delete_subscript
        case ast.Tuple() | ast.List():
            steps = [_delete_target(c, element, scope) for element in node.elts]

            def delete_all(f: CallFrame) -> None:
                for step in steps:
                    step(f)

            return delete_all
        case _:
            c.refuse(node)


def _delete_name(c: Compiler, node: ast.Name, scope: Scope) -> Statement:
    name = mangle(node.id, scope)
    kind, hops, index = resolve(c, name, scope)
    position, g = c.position(node), c.frame
    absent, key = c.session.absent, (home_of(c, scope, kind, hops), name)

    def delete_name(f: CallFrame) -> None:
        frame = g if kind == "global" else f
        for _ in range(hops):
            frame = frame[0]
        if frame[index] is UNSET:
            state.position = position
            if absent.pop(key, None) is not None:
                return
            if kind == "global":
                raise NameError(f"name '{name}' is not defined", name=name)
            raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")
        frame[index] = UNSET

    return delete_name


# --- declarations and imports


@statement(ast.Global, ast.Nonlocal)
def declaration(c: Compiler, node: ast.Global | ast.Nonlocal, scope: Scope) -> Statement:
    return lambda f: None


@statement(ast.Import)
def import_(c: Compiler, node: ast.Import, scope: Scope) -> Statement:
    position = c.position(node)
    steps = [
        (alias.name, alias.asname is not None, _bind(c, node, alias.asname or alias.name.partition(".")[0], scope))
        for alias in node.names
    ]

    def run(f: CallFrame) -> None:
        state.position = position
        for name, renamed, bind in steps:
            found = import_module(name, renamed)
            if type(found) is Absent and not renamed and found.what != name.partition(".")[0]:
                if node in c.caught:
                    raise found.error()
                found.pass_over()  # import torch.fx binds torch
                found = import_module(name.partition(".")[0], False)
            bind(f, found)

    return run


@statement(ast.ImportFrom)
def import_names(c: Compiler, node: ast.ImportFrom, scope: Scope) -> Statement:
    position, module = c.position(node), node.module or ""
    if node.level:
        c.refuse(node, "relative imports are not run here: a program is one file")
    if any(alias.name == "*" for alias in node.names):
        if scope.kind != "module":
            c.invalid(node, "import * only allowed at module level")

        def run_star(f: CallFrame) -> None:
            state.position = position
            found = import_star(module)
            if isinstance(found, Absent):
                if node in c.caught:
                    raise found.error()
                found.pass_over()
                c.session.absent[c.module, "*"] = found
                return
            for name, value in found:
                c.frame[c.module.slots[name]] = value

        return run_star
    if module == "__future__":
        if node not in c.futures and not c.session.notebook:  # which compiles every statement by itself
            c.invalid(node, "from __future__ imports must occur at the beginning of the file")
        for alias in node.names:
            if alias.name not in __future__.all_feature_names:
                unknown = f"future feature {alias.name} is not defined"
                c.invalid(node, "not a chance" if alias.name == "braces" else unknown)
        c.postponed = c.postponed or any(alias.name == "annotations" for alias in node.names)
        return lambda f: None
    steps = [(alias.name, _bind(c, node, alias.asname or alias.name, scope)) for alias in node.names]

    def run(f: CallFrame) -> None:
        state.position = position
        for name, bind in steps:
            bind(f, import_from(module, name))

    return run


def _bind(c: Compiler, node: ast.stmt, name: str, scope: Scope) -> Store:
    """Assign what was imported; what is not here leaves its name unset, unless the program catches the error."""
    name = mangle(name, scope)
    put, leave = store_name(c, name, scope), clear(c, name, scope)
    kind, hops, _ = resolve(c, name, scope)
    absent, key, caught = c.session.absent, (home_of(c, scope, kind, hops), name), node in c.caught

    def bind(f: CallFrame, found: Any) -> None:
        if type(found) is not Absent:
            put(f, found)
            return
        if caught:
            raise found.error()
        found.pass_over()
        absent[key] = found
        leave(f)

    return bind


# --- walrus and containers


@expression(ast.NamedExpr)
def named(c: Compiler, node: ast.NamedExpr, scope: Scope) -> Expression:
    if c.iterables:
        c.invalid(node, "assignment expression cannot be used in a comprehension iterable expression")
    if any(node.target.id in variables for variables in c.comprehensions):
        c.invalid(node, f"assignment expression cannot rebind comprehension iteration variable '{node.target.id}'")
    value = c.expression(node.value, scope)
    home = scope
    hops = 0
    while home.kind == "comprehension" and home.parent is not None:
        home = home.parent
        hops += 1
    if home.kind in ("class", "cell") and hops:
        c.invalid(node, "assignment expression within a comprehension cannot be used in a class body")
    put = store_name(c, node.target.id, home)

    def run(f: CallFrame) -> Any:
        result = value(f)
        frame = f
        for _ in range(hops):
            frame = frame[0]
        put(frame, result)
        return result

    return run


def _starred(nodes: list[ast.expr]) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)


def spread(c: Compiler, nodes: list[ast.expr], scope: Scope) -> Callable[[CallFrame], list[Any]]:
    """Evaluate a list of expressions some of which are `*iterable`."""
    parts = [
        (
            isinstance(node, ast.Starred),
            c.expression(node.value if isinstance(node, ast.Starred) else node, scope),
            c.position(node),
        )
        for node in nodes
    ]

    def run(f: CallFrame) -> list[Any]:
        values: list[Any] = []
        for many, part, position in parts:
            value = part(f)
            if many:
                state.position = position
                if not hasattr(type(value), "__iter__") and not hasattr(type(value), "__getitem__"):
                    raise TypeError(f"Value after * must be an iterable, not {type(value).__name__}")
                values.extend(listed(value))
                grow(len(values))
            else:
                values.append(value)
        return values

    return run


@expression(ast.Tuple)
def tuple_(c: Compiler, node: ast.Tuple, scope: Scope) -> Expression:
    if _starred(node.elts):
        values = spread(c, node.elts, scope)
        return lambda f: tuple(values(f))
    parts = c.expressions(node.elts, scope)
    if len(parts) == 2:
        first, second = parts
        return lambda f: (first(f), second(f))
    return lambda f: tuple([part(f) for part in parts])


@expression(ast.List)
def list_(c: Compiler, node: ast.List, scope: Scope) -> Expression:
    if _starred(node.elts):
        return spread(c, node.elts, scope)
    parts = c.expressions(node.elts, scope)
    if len(parts) == 1:
        only = parts[0]
        return lambda f: [only(f)]
    if all(isinstance(element, ast.Constant) for element in node.elts):
        values = [element.value for element in node.elts if isinstance(element, ast.Constant)]
        return lambda f: values[:]
    return lambda f: [part(f) for part in parts]


@expression(ast.Starred)
def starred(c: Compiler, node: ast.Starred, scope: Scope) -> Expression:
    c.invalid(node, "can't use starred expression here")
