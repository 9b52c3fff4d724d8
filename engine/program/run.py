"""Run one program from its text to its outcome."""

from __future__ import annotations

import ast
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from engine import memory
from engine.core.state import state
from engine.limits import ENDLESS, LimitExceeded, Limits, check_source, meter
from engine.program import near, notebook, overrides, shared
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.bridge import sources
from engine.program.builtins import ITERATORS
from engine.program.calls import host_callable
from engine.program.compiler import compile_program, doubts, looked_at
from engine.program.compiler.core import Compiler, Statement
from engine.program.compiler.functions import call_stack
from engine.program.errors import Error, Frame, InvalidSyntax, Position, Refused
from engine.program.exceptions import (
    EXCEPTIONS,
    ExceptionValue,
    MachineFailure,
    Raised,
    end_if_machines,
    is_machines,
    trail,
)
from engine.program.methods import CLOSED
from engine.program.operators import equal
from engine.program.outcome import Outcome
from engine.program.places import depth
from engine.program.session import Recorder, Session
from engine.program.source import parse, syntax_error
from engine.program.stdlib import load_all
from engine.program.stdlib.traceback import listed
from engine.program.stdlib.warnings import collecting, record
from engine.program.text import represent, to_text
from engine.program.unheard import unheard
from engine.program.values import UNSET, SuperOf, TypeOf

_HOST_FRAMES_PER_CALL = 60
"""Python frames that one call of the program may need; the recursion limit is set for all of them together."""
_STACK = 120 << 20
"""Bytes of C stack that all these frames may need: where C calls Python again (a module's `__call__`, a key of a sort)
one takes up to 2 KiB. Linux keeps 128 MiB of addresses free for the stack of a process."""
_TRACEBACK = 40
"""Longest traceback reported; what is between its ends is left out."""

sessions.closed |= CLOSED | ITERATORS | {TypeOf, SuperOf}


def execute(
    source: str, *, limits: Limits | None = None, recorder: Recorder | None = None, seed: int | None = None
) -> Outcome:
    """Run a program; `seed` None draws random numbers from the system.

    Never raises for what the program does. Raises MemoryError or SystemError when the machine fails under it.
    """
    limits = limits or Limits()
    state.position = None
    prepare()
    session = sessions.begin(limits, recorder, seed)
    state.callback, state.represent, state.equal = host_callable, represent, equal
    state.notice = lambda message: sessions.active.notice(message)
    state.stack = lambda: list(listed(call_stack()))
    before = sys.getrecursionlimit()
    compiler: Compiler | None = None
    error: Error | None = None
    fuel_used = 0
    try:
        with deep_stack(), memory.young(), collecting(), unheard(), np.errstate(all="ignore"):
            sys.setrecursionlimit(depth() + 2000 + limits.recursion * _HOST_FRAMES_PER_CALL)
            try:
                body, compiler = _compile(source, session)
                _roomy(lambda: body(compiler.frame))
                _show_figures(session)
                if meter.stopped is not None:
                    raise meter.stopped
                fuel_used = meter.fuel_used
            except BaseException as exception:
                fuel_used = meter.fuel_used
                session.over = isinstance(meter.stopped or exception, LimitExceeded | MachineFailure)
                try:
                    error = _report(meter.stopped or exception, session, source)  # no name of its own: a cycle
                    with suppress(LimitExceeded):
                        _show_figures(session)
                except MachineFailure as failed:
                    raise failed.failure from None
    finally:
        sys.setrecursionlimit(before)
        overrides.end()
        sessions.end(session)
        state.position = None
    return Outcome(
        "".join(session.output),
        [replace(warned, kind=None, value=None) for warned in session.warnings],
        error,
        _globals(compiler),
        min(fuel_used, limits.fuel),
        session.truncated,
    )


def prepare() -> None:
    """Make what outlives every run, and remember it as shared. Only the first call does something."""
    if not shared.frozen():
        load_all()
        sources()
        shared.freeze()


def _compile(source: str, session: Session) -> tuple[Statement, Compiler]:
    check_source(source, session.limits)
    meter.charge(source.count("{") ** 2 >> 14)  # CPython 3.11 takes the square of an f-string's fields
    tree, source = _parse(source, session)
    session.notebook = session.notebook or notebook.CELL.search(source) is not None
    notebook.show_results(tree, source)
    compiled = compile_program(tree, source, session, looked_at if session.recorder is not None else lambda _: {})
    for line, text in doubts(tree):
        state.position = (line, 0, line, 0)
        record(EXCEPTIONS["SyntaxWarning"], text)
    state.position = None
    return compiled


def _parse(source: str, session: Session) -> tuple[ast.Module, str]:
    """The tree and the text it is of: what only notebooks understand is passed over if it is no Python."""
    tree, plain, passed = parse(source)
    session.notebook = bool(passed)
    for line, what in passed:
        state.position = (line, 0, line, 0)
        session.notice(f"Line {line} {what}.")
    state.position = None
    return tree, plain


def _show_figures(session: Session) -> None:
    """What the program drew and did not show, notebooks show in the end."""
    if session.figures is not None and not session.over:
        state.position = None
        session.figures.show_all("end")


def _roomy(run: Callable[[], Any]) -> Any:
    return run()


# CPython keeps frames in 16 KiB chunks and, before 3.14, maps and unmaps one whenever calls cross a chunk's edge. A
# frame that claims a large stack makes everything below it share one big chunk: deep programs run up to 7 times faster.
_roomy.__code__ = _roomy.__code__.replace(co_stacksize=70_000)


@contextmanager
def deep_stack() -> Iterator[None]:
    """Let the main thread's stack grow to `_STACK`, so that deep calls meet the recursion limit before its end, and
    values that are nested deeply can be let go: Python 3.11 calls itself for each deque inside another."""
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    unlimited = resource.RLIM_INFINITY
    wanted = _STACK if hard == unlimited else min(_STACK, hard)
    if soft == unlimited or soft >= wanted:
        yield
        return
    with suppress(ValueError, OSError):  # which leaves it as it is, where a system has other rules
        resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    try:
        yield
    finally:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


def _globals(compiler: Compiler | None) -> dict[str, Any]:
    if compiler is None:
        return {}
    frame = compiler.frame
    return {
        name: frame[index]
        for name, index in compiler.module.slots.items()
        if frame[index] is not UNSET and name.isidentifier()
    }


# --- errors


def _report(exception: BaseException, session: Session, source: str) -> Error | None:
    session.budget[0] = max(session.budget[0], 50_000)  # so that __str__ of the program's exceptions can run
    if isinstance(exception, SyntaxError) and not isinstance(exception, Raised):
        return syntax_error(exception)
    if isinstance(exception, Refused | InvalidSyntax):
        line, column, end_line, end_column = exception.position
        kind = "UnsupportedSyntax" if isinstance(exception, Refused) else "SyntaxError"
        return Error(kind, exception.text, line, column, end_line, end_column, [Frame(line, "<module>")])
    if isinstance(exception, LimitExceeded):
        return _limit_error(exception)
    if isinstance(exception, MachineFailure):
        raise exception
    if isinstance(exception, KeyboardInterrupt) and not isinstance(exception, Raised):
        raise exception
    if isinstance(exception, UnicodeEncodeError | ValueError) and state.position is None:
        return Error("SyntaxError", "the program's text contains characters that cannot be encoded", 1, 0, 1, 0)
    if isinstance(exception, RecursionError | MemoryError) and state.position is None:
        return Error("SyntaxError", "too many nested parentheses or blocks", 1, 0, 1, 0)
    if is_machines(exception):
        raise exception
    return _program_error(exception, source)


def _program_error(exception: BaseException, source: str) -> Error | None:
    value = value_of(exception)
    kind = type(value).__name__
    if kind == "SystemExit" and (not value.args or value.args[0] in (None, 0)):
        return None
    position, lines = _path(exception)
    line, column, end_line, end_column = position or (None, None, None, None)
    hint = trail(exception).hint
    suggestion = None if hint else near.meant(exception, source)
    return Error(kind, _text(value), line, column, end_line, end_column, lines, hint, None, suggestion)


def _limit_error(exception: LimitExceeded) -> Error:
    position, lines = _path(exception)
    line, column, end_line, end_column = position or (None, None, None, None)
    turns = exception.turns if exception.limit in ENDLESS else None
    return Error(
        "LimitExceeded", str(exception), line, column, end_line, end_column, lines, limit=exception.limit, turns=turns
    )


def _path(exception: BaseException) -> tuple[Position | None, list[Frame]]:
    """Where it happened, and the traceback to there."""
    frames = [*trail(exception).frames, (state.position, "<module>")]
    position = next((at for at, _ in frames if at is not None), None)
    lines = [Frame(at[0], name) for at, name in reversed(frames) if at is not None]
    if len(lines) > _TRACEBACK:
        lines = lines[: _TRACEBACK // 2] + lines[-_TRACEBACK // 2 :]
    return position, lines


def _text(value: ExceptionValue) -> str:
    """`str(exception)` for a report: raises nothing but MachineFailure."""
    try:
        return to_text(value)
    except BaseException as raised:
        if isinstance(raised, MachineFailure):
            raise
        end_if_machines(raised)
        return "<exception str() failed>"
