"""Operators, comparisons, subscripts, attributes, f-strings and the remaining expressions.

Arithmetic and comparison are the hot part: operands that are variables or constants are read without a call.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container
from types import MethodType
from typing import Any

from engine.core.state import state
from engine.program import items
from engine.program.attributes import admit_attribute, as_value, lasting, read, read_only, write
from engine.program.charges import clashed, grow, keyed, probed
from engine.program.compiler.core import Compiler, Expression, Statement, expression, statement
from engine.program.compiler.inspecting import owner_of
from engine.program.compiler.names import slot_of, spread, store
from engine.program.compiler.scope import Scope, mangle
from engine.program.errors import Position
from engine.program.hashing import note_all
from engine.program.operators import BINARY, COMPARE, IN_PLACE, NAMES, NESTING, UNARY, gather, guard_key
from engine.program.overrides import in_modes, in_place, truth
from engine.program.text import convert, format_value, to_text
from engine.program.values import UNSET, CallFrame, Module


def apply(
    c: Compiler, op: Callable[[Any, Any], Any], left: ast.expr, right: ast.expr, position: Position, scope: Scope
) -> Expression:
    """`op(left, right)`, specialised for variables of this frame and for constants."""
    a, b = slot_of(c, left, scope), slot_of(c, right, scope)
    if a is not None and isinstance(right, ast.Constant):
        return _slot_constant(op, a, right.value, position)
    if a is not None and b is not None:
        return _slot_slot(op, a, b, position)
    if isinstance(right, ast.Constant):
        first, constant = c.expression(left, scope), right.value

        def any_constant(f: CallFrame) -> Any:
            x = first(f)
            state.position = position
            return op(x, constant)

        return any_constant
    if a is not None:
        return _slot_any(op, a, c.expression(right, scope), position)
    if b is not None:
        return _any_slot(op, c.expression(left, scope), b, position)
    first, second = c.expression(left, scope), c.expression(right, scope)

    def any_any(f: CallFrame) -> Any:
        x, y = first(f), second(f)
        state.position = position
        return op(x, y)

    return any_any


Slot = tuple[int, Callable[[], Any]]


def _slot_constant(op: Callable[[Any, Any], Any], slot: Slot, constant: Any, position: Position) -> Expression:
    index, find = slot

    def run(f: CallFrame) -> Any:
        x = f[index]
        if x is UNSET:
            x = find()
        state.position = position
        return op(x, constant)

    return run


def _slot_slot(op: Callable[[Any, Any], Any], left: Slot, right: Slot, position: Position) -> Expression:
    i, find_left = left
    j, find_right = right

    def run(f: CallFrame) -> Any:
        x, y = f[i], f[j]
        if x is UNSET:
            x = find_left()
        if y is UNSET:
            y = find_right()
        state.position = position
        return op(x, y)

    return run


def _slot_any(op: Callable[[Any, Any], Any], slot: Slot, second: Expression, position: Position) -> Expression:
    index, find = slot

    def run(f: CallFrame) -> Any:
        x = f[index]
        if x is UNSET:
            x = find()
        y = second(f)
        state.position = position
        return op(x, y)

    return run


def _any_slot(op: Callable[[Any, Any], Any], first: Expression, slot: Slot, position: Position) -> Expression:
    index, find = slot

    def run(f: CallFrame) -> Any:
        x = first(f)
        y = f[index]
        if y is UNSET:
            y = find()
        state.position = position
        return op(x, y)

    return run


@expression(ast.BinOp)
def binary(c: Compiler, node: ast.BinOp, scope: Scope) -> Expression:
    op = BINARY[type(node.op)]
    if c.modes:
        op = in_modes(op, NAMES[type(node.op)])
    return apply(c, op, node.left, node.right, c.position(node), scope)


@expression(ast.UnaryOp)
def unary(c: Compiler, node: ast.UnaryOp, scope: Scope) -> Expression:
    operand, position = c.expression(node.operand, scope), c.position(node)
    if isinstance(node.op, ast.Not):

        def invert(f: CallFrame) -> bool:
            value = operand(f)
            state.position = position
            return not value

        return invert
    op = UNARY[type(node.op)]
    if c.modes:
        op = in_modes(op, NAMES[type(node.op)])
    if isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float):
        constant = (
            op(node.operand.value)
            if not (isinstance(node.op, ast.Invert) and type(node.operand.value) is float)
            else None
        )
        if constant is not None:
            return lambda f: constant

    def run(f: CallFrame) -> Any:
        value = operand(f)
        state.position = position
        return op(value)

    return run


@expression(ast.Compare)
def compare(c: Compiler, node: ast.Compare, scope: Scope) -> Expression:
    position = c.position(node)
    ops = [_comparison(c, type(op)) for op in node.ops]
    if len(ops) == 1:
        return apply(c, ops[0], node.left, node.comparators[0], position, scope)
    first = c.expression(node.left, scope)
    rest = [(op, c.expression(right, scope)) for op, right in zip(ops, node.comparators, strict=True)]

    def run(f: CallFrame) -> Any:
        left = first(f)
        result: Any = True
        for op, right in rest:
            value = right(f)
            state.position = position
            result = op(left, value)
            if not result:
                return result
            left = value
        return result

    return run


def _comparison(c: Compiler, kind: type[ast.cmpop]) -> Callable[[Any, Any], Any]:
    return in_modes(COMPARE[kind], NAMES[kind]) if c.modes and kind in NAMES else COMPARE[kind]


@expression(ast.BoolOp)
def boolean(c: Compiler, node: ast.BoolOp, scope: Scope) -> Expression:
    parts, position = c.expressions(node.values, scope), c.position(node)
    *before, last = parts
    stop_at = isinstance(node.op, ast.Or)

    def run(f: CallFrame) -> Any:
        for part in before:
            value = part(f)
            state.position = position
            if bool(value) is stop_at:
                return value
        return last(f)

    return run


def tested(c: Compiler, node: ast.expr, scope: Scope) -> Expression:
    """An expression that is asked whether it is true."""
    value = c.expression(node, scope)
    return (lambda f: truth(value(f))) if c.modes else value


@expression(ast.IfExp)
def conditional(c: Compiler, node: ast.IfExp, scope: Scope) -> Expression:
    test, (body, orelse) = tested(c, node.test, scope), c.expressions([node.body, node.orelse], scope)
    return lambda f: body(f) if test(f) else orelse(f)


# --- augmented assignment


@statement(ast.AugAssign)
def augmented(c: Compiler, node: ast.AugAssign, scope: Scope) -> Statement:
    op, position, target = IN_PLACE[type(node.op)], c.position(node), node.target
    if c.subclasses:
        op = in_place(op, f"i{NAMES[type(node.op)]}")
    if c.modes:
        op = in_modes(op, f"i{NAMES[type(node.op)]}")
    put = store(c, target, scope)
    if isinstance(target, ast.Name):
        load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
        slot = slot_of(c, load, scope)
        if slot is not None and c.recorder is None:
            return _augmented_slot(c, op, slot, node.value, position, scope)
        value = apply(c, op, load, node.value, position, scope)

        def run_name(f: CallFrame) -> None:
            put(f, value(f))

        return run_name
    return _augmented_part(c, op, target, c.expression(node.value, scope), position, scope)


def _augmented_slot(
    c: Compiler, op: Callable[[Any, Any], Any], slot: Slot, value: ast.expr, position: Position, scope: Scope
) -> Statement:
    index, find = slot
    if isinstance(value, ast.Constant):
        constant = value.value

        def run_constant(f: CallFrame) -> None:
            x = f[index]
            if x is UNSET:
                x = find()
            state.position = position
            f[index] = op(x, constant)

        return run_constant
    second = c.expression(value, scope)

    def run(f: CallFrame) -> None:
        x = f[index]
        if x is UNSET:
            x = find()
        y = second(f)
        state.position = position
        f[index] = op(x, y)

    return run


def _augmented_part(
    c: Compiler, op: Callable[[Any, Any], Any], target: ast.expr, value: Expression, position: Position, scope: Scope
) -> Statement:
    if isinstance(target, ast.Attribute):
        owner, name = c.expression(target.value, scope), mangle(target.attr, scope)
        special, private = name.startswith("__"), name.startswith("_")
        readable: Container[type] = () if special else c.session.plain
        writable: Container[type] = readable if private else c.session.writable
        if read_only(name):
            writable = ()

        def run_attribute(f: CallFrame) -> None:
            state.position = position
            holder = owner(f)
            before = getattr(holder, name) if type(holder) in readable else read(holder, name)
            operand = value(f)
            state.position = position
            result = op(before, operand)
            if type(holder) in writable and type(result) not in NESTING:
                setattr(holder, name, result)
            else:
                write(holder, name, result)

        return run_attribute
    assert isinstance(target, ast.Subscript)
    owner, index = c.expression(target.value, scope), c.expression(target.slice, scope)

    def run_item(f: CallFrame) -> None:
        holder, key = owner(f), index(f)
        state.position = position
        before = items.subscript(holder, key)
        operand = value(f)
        state.position = position
        items.assign_item(holder, key, op(before, operand))

    return run_item


# --- attributes and subscripts


@expression(ast.Attribute)
def attribute(c: Compiler, node: ast.Attribute, scope: Scope) -> Expression:
    name, position = mangle(node.attr, scope), attribute_position(c, node)
    owner = owner_of(c, node, position, scope)
    session = c.session
    direct, closed = {} if c.modes else session.direct, session.closed
    if name.startswith("_"):
        plain = frozenset() if name.startswith("__") else c.session.plain

        def load_private(f: CallFrame) -> Any:
            value = owner(f)
            state.position = position
            return getattr(value, name) if type(value) in plain else read(value, name)

        return load_private
    module: Any = UNSET
    member: Any = None

    def load(f: CallFrame) -> Any:
        nonlocal module, member
        value = owner(f)
        if value is module:
            return member
        state.position = position
        kind = type(value)
        own = direct.get(kind)
        if own:
            return getattr(value, name)
        if own is None:
            found = read(value, name)
            if kind is Module and lasting(value, name):
                module, member = value, found
            return as_value(found, name) if type(found) is MethodType else found
        found = getattr(value, name)
        if type(found) is MethodType:
            return as_value(found, name)
        if type(found) in closed and not session.arrays:
            return found
        return admit_attribute(value, name, found)

    return load


def attribute_position(c: Compiler, node: ast.Attribute) -> Position:
    """CPython reports an attribute that stands on a later line than its object at the attribute."""
    position = c.position(node)
    if node.end_lineno is not None and node.lineno != node.end_lineno:
        return position[2], max(0, position[3] - len(node.attr)), position[2], position[3]
    return position


@expression(ast.Subscript)
def subscript(c: Compiler, node: ast.Subscript, scope: Scope) -> Expression:
    position = c.position(node)
    owner = c.expression(node.value, scope)
    find = in_modes(items.subscript, "getitem") if c.modes else items.subscript
    if not c.modes and isinstance(node.slice, ast.Constant) and not isinstance(node.slice.value, tuple):
        key = node.slice.value

        def load_constant(f: CallFrame) -> Any:
            value = owner(f)
            state.position = position
            return value[key]

        return load_constant
    index = c.expression(node.slice, scope)

    def load(f: CallFrame) -> Any:
        value, key = owner(f), index(f)
        state.position = position
        if type(value) is list and type(key) is int:
            return value[key]
        return find(value, key)

    return load


@expression(ast.Slice)
def slice_(c: Compiler, node: ast.Slice, scope: Scope) -> Expression:
    parts = [
        part if part is not None else ast.copy_location(ast.Constant(None), node)
        for part in (node.lower, node.upper, node.step)
    ]
    if all(isinstance(part, ast.Constant) for part in parts):
        fixed = slice(*(part.value for part in parts if isinstance(part, ast.Constant)))
        return lambda f: fixed
    start, stop, step = c.expressions(parts, scope)
    return lambda f: slice(start(f), stop(f), step(f))


# --- displays


@expression(ast.Dict)
def dict_(c: Compiler, node: ast.Dict, scope: Scope) -> Expression:
    position = c.position(node)
    pairs = [
        (None if key is None else c.expression(key, scope), c.expression(value, scope))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def run(f: CallFrame) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in pairs:
            if key is None:
                other = value(f)
                state.position = position
                if not hasattr(type(other), "keys"):
                    raise TypeError(f"'{type(other).__name__}' object is not a mapping")
                if isinstance(other, dict):
                    gather(len(made) + len(other), other)
                made.update(other)
                grow(len(made))
            else:
                k = key(f)
                v = value(f)
                state.position = position
                if type(k) is not str:
                    guard_key(k)
                    probed(k, len(made))
                made[k] = v
        return made

    return run


@expression(ast.Set)
def set_(c: Compiler, node: ast.Set, scope: Scope) -> Expression:
    values, position = spread(c, node.elts, scope), c.position(node)
    folded = len(node.elts) > 2 and all(map(_is_constant, node.elts))

    def run(f: CallFrame) -> set[Any]:
        found = values(f)
        state.position = position
        for value in found:
            guard_key(value)
        note_all(found)
        keyed(len(found))
        clashed(found, len(found))
        return set(_constant(found)) if folded else set(found)

    return run


def _constant(found: list[Any]) -> frozenset[Any]:
    """The constant that CPython makes of a display of three or more; it builds that twice, which may order it anew."""
    return frozenset(tuple(frozenset(found)))


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return _is_constant(operand)
        case ast.BinOp(left=left, right=right):
            return _is_constant(left) and _is_constant(right)
        case ast.Tuple(elts=items):
            return all(map(_is_constant, items))
    return False


# --- f-strings


@expression(ast.JoinedStr)
def joined(c: Compiler, node: ast.JoinedStr, scope: Scope) -> Expression:
    parts = c.expressions(node.values, scope)

    def run(f: CallFrame) -> str:
        text = "".join([part(f) for part in parts])
        if len(text) > 63:
            grow(len(text))
        return text

    return run


@expression(ast.FormattedValue)
def formatted(c: Compiler, node: ast.FormattedValue, scope: Scope) -> Expression:
    value, position = c.expression(node.value, scope), c.position(node)
    conversion = {-1: None, 115: "s", 114: "r", 97: "a"}[node.conversion]
    if node.format_spec is None:

        def plain(f: CallFrame) -> str:
            found = value(f)
            state.position = position
            return to_text(convert(found, conversion)) if conversion else format_value(found, "")

        return plain
    spec = c.expression(node.format_spec, scope)

    def run(f: CallFrame) -> str:
        found, how = value(f), spec(f)
        state.position = position
        return format_value(convert(found, conversion), how)

    return run
