"""Functions: `def`, `lambda`, decorators, and binding arguments to parameters in CPython's words."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Sequence
from types import CodeType, FrameType
from typing import Any

from engine.core.state import state
from engine.limits import meter
from engine.program.admission import leaving_generator
from engine.program.calls import call
from engine.program.compiler.core import Compiler, Expression, Statement, expression, statement
from engine.program.compiler.described import Described
from engine.program.compiler.generators import compile_generator, has_yield
from engine.program.compiler.names import PLAIN, store_name
from engine.program.compiler.scope import Scope, mangle, walrus_names
from engine.program.exceptions import trail
from engine.program.generators import Generator
from engine.program.values import UNSET, CallFrame, Code, Function, out_of_fuel


class Signature:
    """The parameters of a function, in the order of its slots: positional, `*args`, keyword-only, `**kwargs`."""

    def __init__(self, arguments: ast.arguments, scope: Scope) -> None:
        self.positional = [mangle(a.arg, scope) for a in (*arguments.posonlyargs, *arguments.args)]
        self.positional_only = len(arguments.posonlyargs)
        self.extra = arguments.vararg.arg if arguments.vararg else None
        self.keyword_only = [mangle(a.arg, scope) for a in arguments.kwonlyargs]
        self.keywords = arguments.kwarg.arg if arguments.kwarg else None
        self.names = [
            *self.positional, *([self.extra] if self.extra else ()), *self.keyword_only,
            *([self.keywords] if self.keywords else ()),
        ]  # fmt: skip
        self.simple = len(self.names) == len(self.positional)
        self.index = {name: i for i, name in enumerate(self.positional) if i >= self.positional_only}
        self.keyword_index = {name: i for i, name in enumerate(self.keyword_only)}

    def describe(self, function: Function) -> inspect.Signature:
        """The same as `inspect` says it."""
        kinds = inspect.Parameter
        defaults = dict(zip(reversed(self.positional), reversed(function.defaults), strict=False))
        found = [
            kinds(
                name,
                kinds.POSITIONAL_ONLY if i < self.positional_only else kinds.POSITIONAL_OR_KEYWORD,
                default=defaults.get(name, kinds.empty),
            )
            for i, name in enumerate(self.positional)
        ]
        if self.extra is not None:
            found.append(kinds(self.extra, kinds.VAR_POSITIONAL))
        for name in self.keyword_only:
            found.append(kinds(name, kinds.KEYWORD_ONLY, default=function.kwdefaults.get(name, kinds.empty)))
        if self.keywords is not None:
            found.append(kinds(self.keywords, kinds.VAR_KEYWORD))
        notes = function.annotations
        if not notes:
            return inspect.Signature(found)
        found = [each.replace(annotation=notes.get(each.name, kinds.empty)) for each in found]
        return inspect.Signature(found, return_annotation=notes.get("return", kinds.empty))

    def bind(self, function: Function, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> list[Any]:
        """The values of all parameters. Raises TypeError as CPython does."""
        count = len(self.positional)
        values = list(args[:count])
        values += [UNSET] * (count - len(values))
        options = [UNSET] * len(self.keyword_only)
        rest: dict[str, Any] = {}
        for name, value in (kwargs or {}).items():
            at = self.index.get(name)
            if at is not None:
                if values[at] is not UNSET:
                    raise TypeError(f"{function.qualname}() got multiple values for argument '{name}'")
                values[at] = value
            elif name in self.keyword_index:
                options[self.keyword_index[name]] = value
            elif self.keywords is not None:
                rest[name] = value
            else:
                self._unexpected(function, name, kwargs or {})
        if len(args) > count and self.extra is None:
            self._too_many(function, len(args), sum(option is not UNSET for option in options))
        defaults = function.defaults
        first_default = count - len(defaults)
        missing = []
        for i in range(min(len(args), count), count):
            if values[i] is UNSET:
                if i >= first_default:
                    values[i] = defaults[i - first_default]
                else:
                    missing.append(self.positional[i])
        if missing:
            raise TypeError(_missing(function, missing, "positional"))
        for i, name in enumerate(self.keyword_only):
            if options[i] is UNSET:
                if name in function.kwdefaults:
                    options[i] = function.kwdefaults[name]
                else:
                    missing.append(name)
        if missing:
            raise TypeError(_missing(function, missing, "keyword-only"))
        if self.extra is not None:
            values.append(tuple(args[count:]))
        values += options
        if self.keywords is not None:
            values.append(rest)
        return values

    def _unexpected(self, function: Function, name: str, kwargs: dict[str, Any]) -> None:
        wrong = [key for key in self.positional[: self.positional_only] if key in kwargs]
        if wrong:
            listed = ", ".join(wrong)
            raise TypeError(
                f"{function.qualname}() got some positional-only arguments passed as keyword arguments: '{listed}'"
            )
        raise TypeError(f"{function.qualname}() got an unexpected keyword argument '{name}'")

    def _too_many(self, function: Function, given: int, options: int) -> None:
        count, defaults = len(self.positional), len(function.defaults)
        takes = f"from {count - defaults} to {count}" if defaults else str(count)
        plural = "" if count == 1 and not defaults else "s"
        also = ""
        if options:
            also = f" positional argument{_s(given)} (and {options} keyword-only argument{_s(options)})"
        was = "was" if given == 1 and not options else "were"
        raise TypeError(
            f"{function.qualname}() takes {takes} positional argument{plural} but {given}{also} {was} given"
        )


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _missing(function: Function, names: list[str], kind: str) -> str:
    quoted = [f"'{name}'" for name in names]
    if len(quoted) == 1:
        listed = quoted[0]
    elif len(quoted) == 2:
        listed = " and ".join(quoted)
    else:
        listed = ", ".join(quoted[:-1]) + ", and " + quoted[-1]
    plural = "s" if len(names) > 1 else ""
    return f"{function.qualname}() missing {len(names)} required {kind} argument{plural}: {listed}"


@statement(ast.FunctionDef)
def function(c: Compiler, node: ast.FunctionDef, scope: Scope) -> Statement:
    decorators = [(c.expression(decorator, scope), c.position(decorator)) for decorator in node.decorator_list]
    make = make_function(c, node, node.args, node.body, node.name, scope)
    annotations = [(name, c.annotation(annotation, scope)) for name, annotation in _annotations(node)]
    put = store_name(c, node.name, scope)

    def run(f: CallFrame) -> None:
        wrappers = [(decorate(f), position) for decorate, position in decorators]
        value = make(f)
        if annotations:
            value.annotations = {name: annotation(f) for name, annotation in annotations}
        for wrapper, position in reversed(wrappers):
            state.position = position
            try:
                value = call(wrapper, (value,), None)
            except BaseException:
                state.position = position
                raise
        put(f, value)

    return run


def _annotations(node: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    found = [(a.arg, a.annotation) for a in every if a is not None and a.annotation is not None]
    return found if node.returns is None else [*found, ("return", node.returns)]


@expression(ast.Lambda)
def lambda_(c: Compiler, node: ast.Lambda, scope: Scope) -> Expression:
    return make_function(c, node, node.args, node.body, "<lambda>", scope)


def make_function(
    c: Compiler, node: ast.AST, arguments: ast.arguments, body: list[ast.stmt] | ast.expr, name: str, scope: Scope
) -> Expression:
    """The expression that makes a function: its defaults are evaluated now, its body when it is called."""
    defaults = c.expressions(arguments.defaults, scope)
    keyword_defaults = [
        (mangle(a.arg, scope), c.expression(default, scope))
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is not None
    ]
    prefix = scope.qualname if scope.kind == "class" else _locals_prefix(scope)
    qualname = f"{prefix}.{name}" if prefix and name not in scope.globals else name
    code = compile_code(c, node, arguments, body, name, qualname, scope)
    doc = None if isinstance(body, ast.expr) else _doc(body)
    in_class, session = scope.kind == "class", c.session

    def make(f: CallFrame) -> Function:
        made = Function(name, qualname, code, f[0] if in_class else f, session)
        if defaults:
            made.defaults = tuple([default(f) for default in defaults])
        if keyword_defaults:
            made.kwdefaults = {key: default(f) for key, default in keyword_defaults}
        made.doc = doc
        return made

    return make


def _locals_prefix(scope: Scope) -> str:
    function = scope.function
    return "" if function is None else f"{function.qualname}.<locals>"


def _doc(body: list[ast.stmt]) -> str | None:
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return first.value.value
    return None


def compile_code(
    c: Compiler,
    node: ast.AST,
    arguments: ast.arguments,
    body: list[ast.stmt] | ast.expr,
    name: str,
    qualname: str,
    scope: Scope,
) -> Code:
    """The code that a call of the function runs: bind, make the frame, run the body."""
    signature = Signature(arguments, scope)
    if len(set(signature.names)) < len(signature.names):
        twice = next(n for n in signature.names if signature.names.count(n) > 1)
        c.invalid(node, f"duplicate argument '{twice}' in function definition")
    inside = Scope("function", scope.inner, name, qualname)
    for parameter in signature.names:
        inside.slot(parameter)
    statements: Sequence[ast.stmt] = [] if isinstance(body, ast.expr) else body
    c.declare(inside, statements)
    if c.walrus and isinstance(body, ast.expr):
        for bound in walrus_names(body):
            inside.slot(bound)
    outside = c.comprehensions, c.iterables
    c.comprehensions, c.iterables = [], 0
    try:
        made = _compile_body(c, node, signature, body, name, qualname, inside)
        made.described = Described(node, body, signature, inside)  # type: ignore[attr-defined]
        return made
    finally:
        c.comprehensions, c.iterables = outside


def _compile_body(
    c: Compiler,
    node: ast.AST,
    signature: Signature,
    body: list[ast.stmt] | ast.expr,
    name: str,
    qualname: str,
    inside: Scope,
) -> Code:
    if has_yield(body):
        return _generator_code(c, signature, compile_generator(c, body, inside), name, qualname, inside)
    run: Statement
    if isinstance(body, ast.expr):
        run = c.expression(body, inside)
        return _code(c, node, signature, run, name, inside, returns_value=True)
    if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
        run = c.expression(body[0].value, inside)
        return _code(c, node, signature, run, name, inside, returns_value=True)
    return _code(c, node, signature, c.block(body, inside), name, inside, returns_value=False)


def _code(
    c: Compiler, node: ast.AST, signature: Signature, body: Statement, name: str, inside: Scope, returns_value: bool
) -> Code:
    count, bind = len(signature.positional) if signature.simple else -1, signature.bind
    blank = [UNSET] * (inside.count - 1 - len(signature.names))
    budget, session = c.budget, c.session
    if c.recorder is not None:
        body = _recorded(c, node, name, signature, body)

    def code(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Any:
        if kwargs is None and len(args) == count:
            f = [function.closure, *args, *blank]
        else:
            f = [function.closure, *bind(function, args, kwargs), *blank]
        budget[1] -= 1
        if budget[1] < 0:
            budget[1] += 1
            raise RecursionError("maximum recursion depth exceeded")
        try:
            result = body(f)
        except BaseException as exception:
            trail(exception).frames.append((state.position, name))
            raise
        finally:
            budget[1] += 1
        return None if result is None else result[0]

    def code_of_expression(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Any:
        if kwargs is None and len(args) == count:
            f = [function.closure, *args, *blank]
        else:
            f = [function.closure, *bind(function, args, kwargs), *blank]
        budget[0] -= 1
        budget[1] -= 1
        if budget[1] < 0 or budget[0] < 0:
            budget[1] += 1
            if budget[0] < 0:
                out_of_fuel(session)
            raise RecursionError("maximum recursion depth exceeded")
        try:
            return body(f)
        except BaseException as exception:
            trail(exception).frames.append((state.position, name))
            raise
        finally:
            budget[1] += 1

    chosen = code_of_expression if returns_value else code
    chosen.describe = signature.describe  # type: ignore[attr-defined]
    return chosen


def _recorded(c: Compiler, node: ast.AST, name: str, signature: Signature, body: Statement) -> Statement:
    assert c.recorder is not None
    enter, leave, line = c.recorder.scope_enter, c.recorder.scope_exit, getattr(node, "lineno", None)
    argument, names = c.recorder.argument, signature.names

    def run(f: CallFrame) -> Any:
        enter("function", name, line)
        for parameter, value in zip(names, f[1:], strict=False):
            if type(value) not in PLAIN:
                argument(parameter, value)
        at = state.position
        try:
            result = body(f)
        finally:
            leave()
        state.position = at  # what the caller does with the result happens where it called
        return result

    return run


_RUN = next(code for code in _recorded.__code__.co_consts if isinstance(code, CodeType) and code.co_name == "run")
"""What stands on Python's own stack for every call of a function."""
_FRAMES = 30
"""Frames of Python's own stack for a call, about: the charge must not depend on how deep the engine itself stands."""


def call_stack() -> list[tuple[int, str]]:
    """Line and name of the functions that run, the innermost last."""
    frame: FrameType | None = sys._getframe()
    position, found = state.position, []
    while frame is not None:
        if frame.f_code is _RUN:
            held = frame.f_locals
            found.append((0 if position is None else position[0], held["name"]))
            position = held["at"]
        frame = frame.f_back
    meter.charge(4 + (_FRAMES * len(found) >> 2))
    found.append((0 if position is None else position[0], "<module>"))
    return found[::-1]


def _generator_code(c: Compiler, signature: Signature, body: Any, name: str, qualname: str, inside: Scope) -> Code:
    blank = [UNSET] * (inside.count - 1 - len(signature.names))
    bind, session, recorder = signature.bind, c.session, c.recorder

    def start(f: CallFrame) -> Any:
        try:
            result = yield from body(f)
        except BaseException as exception:
            left = leaving_generator(exception)
            if left is not exception:
                raise left from None
            trail(exception).frames.append((state.position, name))
            raise
        return None if result is None else result[0]

    def code(function: Function, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Generator:
        f = [function.closure, *bind(function, args, kwargs), *blank]
        if recorder is not None:
            for parameter, value in zip(signature.names, f[1:], strict=False):
                recorder.argument(parameter, value)
        return Generator(start(f), qualname, session)

    code.generator = True  # type: ignore[attr-defined]
    code.describe = signature.describe  # type: ignore[attr-defined]
    return code
