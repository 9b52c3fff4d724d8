"""Run one program in this Python, from its text to its outcome."""

from __future__ import annotations

import ast
import gc
import inspect
import linecache
import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from traceback import FrameSummary, StackSummary
from types import FrameType
from typing import Any, Protocol

import numpy as np

from engine import deadline, figures, memory
from engine.core.state import State, state
from engine.document.limits import plain
from engine.libraries import silent
from engine.limits import LimitExceeded, Limits, check_source, meter
from engine.program import imports, near, notebook, source
from engine.program.errors import Error
from engine.program.instrument import called_as_written, instrument
from engine.program.outcome import Outcome, Output, Warnings, failed
from engine.program.places import ENGINE, FILE, Placed, Places, depth
from engine.program.printing import printing
from engine.program.surroundings import put_back, surroundings
from engine.program.watch import Watch, frames_of_program
from engine.program.world import PROGRAM, World
from engine.trace import Recorder
from engine.trace.holders import Holders

_FRAMES_PER_CALL = 8
"""Python frames that one call of the program may need, of a module as a rule; the recursion limit is set for all of
them together."""

RESERVE = 16 << 20
"""Bytes of addresses, of which nothing is used, in which the end of a program is told that has taken all others."""


class Beside(Protocol):
    """What watches a run besides the recorder."""

    def change(self, tree: ast.Module) -> None:
        """Put calls of its own into the program."""

    def calls(self, watch: Watch) -> dict[str, Any]:
        """The functions by the names that the program calls them by."""

    def running(self, places: Places) -> AbstractContextManager[None]:
        """Around the program."""


def execute(
    code: str,
    *,
    limits: Limits | None = None,
    recorder: Recorder | None = None,
    seed: int | None = None,
    stuck: Callable[[Outcome], None] | None = None,
    beside: Beside | None = None,
) -> Outcome:
    """Run a program; `seed` None draws random numbers from the system.

    `stuck` gets what it did if it does not come back from a call in C (`engine.deadline.last_words`), and does not
    return.

    Never raises for what the program does. Whatever it changes in this process is not undone, but for what every
    program is given.
    """
    limits = limits or Limits()
    imports.preload(imports.wanted(code))
    meter.arm(limits)
    output, warned, watch = Output(limits, recorder), Warnings(recorder), Watch(recorder)
    places = Places(re.split("\r\n?|\n", code))
    main = types.ModuleType("__main__")
    error, used = None, 0

    def outcome(error: Error | None) -> Outcome:
        held = {plain(name): value for name, value in vars(main).items() if issubclass(type(name), str)}
        names = {name: value for name, value in held.items() if name.isidentifier() and name not in _GIVEN}
        return Outcome("".join(output.parts), warned.shown, error, names, min(used, limits.fuel), output.truncated)

    def end_within() -> None:
        watch.struck()
        limit = LimitExceeded("cpu_seconds", None, limits.cpu_seconds, deadline.TEXT)
        assert stuck is not None
        stuck(outcome(failed(limit, places, lambda raised: None, watch)))

    try:
        with ExitStack() as around:
            for each in (memory.deep_stack(), memory.young(), warned.collecting()):
                around.enter_context(each)
            given = around.enter_context(surroundings())
            given.begin(code, limits, seed)
            shown = around.enter_context(figures.showing(recorder, limits))
            vars(given.builtins).update(_own(code, given, shown, watch))
            if beside is not None:
                vars(given.builtins).update(beside.calls(watch))
            vars(main).update(_MAIN, __builtins__=given.builtins)
            if sys.version_info < (3, 14):
                vars(main)["__annotations__"] = {}
            around.enter_context(_running(main, code, output))
            if recorder is not None:
                around.enter_context(_holding(recorder.holders))
            around.enter_context(_placed(places, end_within if stuck else None))
            state.notice, state.stack, meter.struck = warned.notice, _stack, watch.struck
            if recorder is not None:
                state.exposed = recorder.expose
            reserve = around.enter_context(memory.reserve(RESERVE))
            try:
                made = _compiled(code, limits, warned, beside)
                with nullcontext() if beside is None else beside.running(places):
                    exec(made, main.__dict__)
                if meter.budget[0] < 0:
                    meter.out_of_fuel()
                used = meter.fuel_used
            except BaseException as exception:
                reserve.close()
                used = meter.fuel_used
                ending = _limit(exception)
                if not issubclass(type(ending), LimitExceeded):
                    meter.budget[0] = max(meter.budget[0], _STEPS_OF_STR)
                error = failed(ending, places, lambda raised: near.meant(raised, code), watch)
            if error is None or error.limit is None:
                with suppress(LimitExceeded):
                    given.end()
                    shown.show_all("end")
    finally:
        meter.disarm()
    return outcome(error)


_MAIN: dict[str, Any] = {"__file__": PROGRAM, "__cached__": None}
"""Attributes of a program's module besides those of every module."""
_PRINTED = np.get_printoptions()
"""numpy's own print options, which every program begins with."""
_STEPS_OF_STR = 50_000
"""Steps that an exception's `__str__` may take when no more are left."""
_GIVEN = frozenset(vars(types.ModuleType("__main__"))) | {"__builtins__", *_MAIN}
_GIVEN |= {
    "__annotations__",
    "__annotate__",
    "__conditional_annotations__",
}  # from Python 3.14 on the last two, instead


def _parsed(code: str) -> tuple[ast.Module, str, list[notebook.Passed]]:
    found = source.parse(code)
    if notebook.is_notebook(code):
        notebook.join_cells(found[0])
    return found


def _compiled(code: str, limits: Limits, warned: Warnings, beside: Beside | None) -> types.CodeType:
    check_source(code, limits)
    tree, text, passed = _parsed(code)
    for line, what in passed:
        warned.notice(f"Line {line} {what}.", line)
    notebook.show_results(tree, text)
    if beside is not None:
        beside.change(tree)
    instrument(tree)
    try:
        made = compile(tree, FILE, "exec", dont_inherit=True)
    except SyntaxError:
        compile(_parsed(code)[0], FILE, "exec", dont_inherit=True)  # which says it of the program as it is written
        raise
    return called_as_written(made)


def _own(code: str, given: World, shown: figures.Shown, watch: Watch) -> dict[str, Any]:
    """What a program finds among its builtins that is not Python's."""

    def show(value: Any) -> None:
        if not shown.display(value) and not isinstance(value, silent.Silent):
            _show(value)

    return {
        "__import__": imports.Imports(code, vars(given.builtins)["__import__"], show),
        "print": printing(print),
        notebook.SHOWN: show,
        notebook.ENDED: lambda: shown.show_all("cell"),
        **watch.calls(),
        **(silent.in_notebooks(show) if notebook.is_notebook(code) else {}),
    }


@contextmanager
def _running(main: types.ModuleType, code: str, output: Output) -> Iterator[None]:
    """`main` is the module that runs, and `output` gets what it prints."""
    with ExitStack() as undone:
        undone.callback(put_back, {"__main__": sys.modules.get("__main__")})
        sys.modules["__main__"] = main
        undone.callback(setattr, sys, "meta_path", sys.meta_path)
        undone.callback(sys.meta_path.__setitem__, slice(None), sys.meta_path[:])
        undone.callback(setattr, sys, "stdout", sys.stdout)
        undone.callback(setattr, sys, "stderr", sys.stderr)
        undone.callback(setattr, sys, "__stdout__", sys.__stdout__)
        sys.stdout, sys.stderr = output, Output(Limits(), None)
        sys.__stdout__ = output  # type: ignore[misc, assignment]
        undone.callback(setattr, inspect, "linecache", linecache)
        inspect.linecache = _Lines(code)  # type: ignore[attr-defined]
        undone.callback(sys.setrecursionlimit, sys.getrecursionlimit())
        sys.setrecursionlimit(depth() + 2000 + meter.budget[1] * _FRAMES_PER_CALL)
        undone.enter_context(np.printoptions(**_PRINTED))
        yield


@contextmanager
def _holding(holders: Holders) -> Iterator[None]:
    """What the recorder holds does not count, and no cycle of objects goes on because of it."""
    collect, count = gc.collect, sys.getrefcount

    def collect_all(generation: int = 2) -> int:
        holders.collect()
        return collect(generation)

    gc.collect = collect_all
    sys.getrefcount = lambda value, /: count(value) - 1 - (id(value) in holders.alive)
    try:
        yield
    finally:
        gc.collect, sys.getrefcount = collect, count


class _Lines:
    """`linecache` for `inspect`, which knows the program's text. Tracebacks show none: it is beside them, and Python
    marks it otherwise in each version."""

    def __init__(self, code: str) -> None:
        self.cache = dict.fromkeys((FILE, PROGRAM), code.splitlines(True))

    def getlines(self, filename: str, module_globals: dict[str, Any] | None = None) -> list[str]:
        return self.cache.get(filename) or linecache.getlines(filename, module_globals)

    def checkcache(self, filename: str | None = None) -> None:
        """Nothing in memory changes."""


def _limit(exception: BaseException) -> BaseException:
    """What has ended the program: a limit that it has reached, whatever it made of that."""
    if issubclass(type(exception), LimitExceeded) or meter.budget[0] >= 0:
        return exception
    try:
        meter.out_of_fuel()
    except LimitExceeded as limit:
        return limit
    return exception


def _interrupts(frame: FrameType | None) -> bool:
    """Whether the program itself runs, or a library that it called: what the engine does is done to its end."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file is FILE or file.startswith(ENGINE):
            return file is FILE
        frame = frame.f_back
    return False


@contextmanager
def _placed(places: Places, stuck: Callable[[], None] | None) -> Iterator[None]:
    """The engine finds out where the program is when it wants to know, and so does whoever would end it."""
    Placed.places = places
    before = state.notice, state.stack, state.exposed
    state.__class__ = Placed
    hooks = deadline.interrupts, deadline.stuck
    deadline.interrupts, deadline.stuck = _interrupts, stuck
    try:
        yield
    finally:
        deadline.interrupts, deadline.stuck = hooks
        state.__class__ = State
        state.position = None
        Placed.places = Places([])  # lest the next program, in a forked process maybe, has to let this one's code go
        state.notice, state.stack, state.exposed = before


def _show(value: Any) -> None:
    """Show the value of a notebook's cell."""
    if value is not None:
        sys.stdout.write(f"{value!r}\n")


def _stack() -> list[str]:
    """The calls of the program under way as lines of a traceback, the innermost last."""
    found = [
        FrameSummary(FILE, frame.f_lineno, frame.f_code.co_name, lookup_line=False, line="")
        for frame in frames_of_program(sys._getframe())
    ]
    return StackSummary.from_list(found[::-1]).format()
