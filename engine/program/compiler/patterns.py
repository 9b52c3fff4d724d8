"""`match` statements."""

from __future__ import annotations

import ast
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from engine.core.state import state
from engine.program.abstract import Mapping, Sequence
from engine.program.attributes import read
from engine.program.builtins import is_instance
from engine.program.charges import copied
from engine.program.compiler.core import Compiler, Expression, Statement, statement
from engine.program.compiler.names import store_name
from engine.program.compiler.scope import Scope
from engine.program.namespace import Namespace
from engine.program.operators import COMPARE, gather, items
from engine.program.values import UNSET, CallFrame

Matcher = Callable[[CallFrame, Any], bool]
Case = tuple[Matcher, Expression | None, Any]

_SEQUENCES = (list, tuple, range, deque, Sequence)
_MAPPINGS: Any = (dict, OrderedDict, defaultdict, Mapping, Namespace)
_SELF_MATCHING = (bool, bytes, dict, float, frozenset, int, list, set, str, tuple)


@statement(ast.Match)
def match_(c: Compiler, node: ast.Match, scope: Scope) -> Statement:
    subject, position = c.expression(node.subject, scope), c.position(node.subject)
    cases = compile_cases(c, node, scope, c.block)

    def run(f: CallFrame) -> Any:
        value = subject(f)
        for matches, guard, body in cases:
            state.position = position
            if matches(f, value) and (guard is None or guard(f)):
                return body(f)
        return None

    return run


def compile_cases(c: Compiler, node: ast.Match, scope: Scope, block: Callable[..., Any]) -> list[Case]:
    """(pattern, guard, body) of every case."""
    for case in node.cases:
        _bound(c, case.pattern, set())
        if case.guard is None and case is not node.cases[-1]:
            _check_refutable(c, case.pattern)
    return [
        (
            _pattern(c, case.pattern, scope),
            None if case.guard is None else c.expression(case.guard, scope),
            block(case.body, scope),
        )
        for case in node.cases
    ]


def _bound(c: Compiler, node: ast.pattern, names: set[str]) -> set[str]:
    """The names that a pattern binds beside `names`. Refuses those it binds twice, as CPython's compiler does."""
    if isinstance(node, ast.MatchOr):
        options = [_bound(c, option, set(names)) for option in node.patterns]
        for option in node.patterns[:-1]:
            _check_refutable(c, option)
        if any(option != options[0] for option in options):
            c.invalid(node, "alternative patterns bind different names")
        return options[0]
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.pattern):
            names = _bound(c, part, names)
    name = node.rest if isinstance(node, ast.MatchMapping) else getattr(node, "name", None)
    if name in names:
        c.invalid(node, f"multiple assignments to name {name!r} in pattern")
    return names if name is None else {*names, name}


def _check_refutable(c: Compiler, node: ast.pattern) -> None:
    """Refuse a pattern that matches anything where others follow."""
    inner = node
    while isinstance(inner, ast.MatchAs) and inner.pattern is not None:
        inner = inner.pattern
    if isinstance(inner, ast.MatchAs):
        what = "wildcard" if inner.name is None else f"name capture {inner.name!r}"
        c.invalid(node, f"{what} makes remaining patterns unreachable")


def _pattern(c: Compiler, node: ast.pattern, scope: Scope) -> Matcher:
    match node:
        case ast.MatchValue():
            expected, equal = c.expression(node.value, scope), COMPARE[ast.Eq]
            return lambda f, value: bool(equal(value, expected(f)))
        case ast.MatchSingleton():
            singleton = node.value
            return lambda f, value: value is singleton
        case ast.MatchAs():
            return _as(c, node, scope)
        case ast.MatchOr():
            options = [_pattern(c, option, scope) for option in node.patterns]
            return lambda f, value: any(option(f, value) for option in options)
        case ast.MatchSequence():
            return _sequence(c, node, scope)
        case ast.MatchMapping():
            return _mapping(c, node, scope)
        case ast.MatchClass():
            return _class(c, node, scope)
        case _:
            c.refuse(node)


def _as(c: Compiler, node: ast.MatchAs, scope: Scope) -> Matcher:
    inner = None if node.pattern is None else _pattern(c, node.pattern, scope)
    put = None if node.name is None else store_name(c, node.name, scope)

    def matches(f: CallFrame, value: Any) -> bool:
        if inner is not None and not inner(f, value):
            return False
        if put is not None:
            put(f, value)
        return True

    return matches


def _sequence(c: Compiler, node: ast.MatchSequence, scope: Scope) -> Matcher:
    star = next((i for i, part in enumerate(node.patterns) if isinstance(part, ast.MatchStar)), None)
    count = len(node.patterns)
    if star is None:
        parts = [_pattern(c, part, scope) for part in node.patterns]

        def matches(f: CallFrame, value: Any) -> bool:
            if not isinstance(value, _SEQUENCES) or len(value) != count:
                return False
            return all(part(f, item) for part, item in zip(parts, value, strict=True))

        return matches
    before = [_pattern(c, part, scope) for part in node.patterns[:star]]
    after = [_pattern(c, part, scope) for part in node.patterns[star + 1 :]]
    starred = node.patterns[star]
    put = store_name(c, starred.name, scope) if isinstance(starred, ast.MatchStar) and starred.name else None

    def matches_star(f: CallFrame, value: Any) -> bool:
        if not isinstance(value, _SEQUENCES) or len(value) < count - 1:
            return False
        copied(len(value))
        values = list(items(value))
        end = len(values) - len(after)
        if not all(part(f, item) for part, item in zip(before, values[: len(before)], strict=True)):
            return False
        if put is not None:
            put(f, values[len(before) : end])
        return all(part(f, item) for part, item in zip(after, values[end:], strict=True))

    return matches_star


def _mapping(c: Compiler, node: ast.MatchMapping, scope: Scope) -> Matcher:
    keys = c.expressions(node.keys, scope)
    parts = [_pattern(c, part, scope) for part in node.patterns]
    put = None if node.rest is None else store_name(c, node.rest, scope)

    def matches(f: CallFrame, value: Any) -> bool:
        if not isinstance(value, _MAPPINGS):
            return False
        gather(len(value), value)
        rest = dict(value) if isinstance(value, dict) else {key: value[key] for key in items(value)}
        for key, part in zip(keys, parts, strict=True):
            found = rest.pop(key(f), UNSET)
            if found is UNSET or not part(f, found):
                return False
        if put is not None:
            put(f, rest)
        return True

    return matches


def _class(c: Compiler, node: ast.MatchClass, scope: Scope) -> Matcher:
    cls = c.expression(node.cls, scope)
    positional = [_pattern(c, part, scope) for part in node.patterns]
    named = [(name, _pattern(c, part, scope)) for name, part in zip(node.kwd_attrs, node.kwd_patterns, strict=True)]

    def matches(f: CallFrame, value: Any) -> bool:
        kind = cls(f)
        if not isinstance(kind, type):
            raise TypeError("called match pattern must be a class")
        if not is_instance(value, kind):
            return False
        if positional:
            if kind in _SELF_MATCHING:
                if len(positional) > 1:
                    raise TypeError(
                        f"{kind.__name__}() accepts 1 positional sub-pattern ({len(positional)} given)"
                    )
                if not positional[0](f, value):
                    return False
            else:
                names = getattr(kind, "__match_args__", ())
                if len(positional) > len(names):
                    raise TypeError(
                        f"{kind.__name__}() accepts {len(names)} positional sub-pattern{'s' * (len(names) != 1)}"
                        f" ({len(positional)} given)"
                    )
                for name, part in zip(names, positional, strict=False):
                    if not _attribute(f, value, name, part):
                        return False
        return all(_attribute(f, value, name, part) for name, part in named)

    return matches


def _attribute(f: CallFrame, value: Any, name: str, part: Matcher) -> bool:
    try:
        found = read(value, name)
    except AttributeError:
        return False
    return part(f, found)
