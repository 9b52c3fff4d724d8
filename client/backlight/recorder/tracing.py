"""Variables, functions and loop turns of the user's code, from Python's tracer."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import torch
from torch.nn.parameter import is_lazy

from .grads import GradWatch
from .positions import USER, Place, at
from .python_events import PythonEvents
from .recording import Recording
from .scopes import Scope
from .structure import Loop, Stores, Structure, stores_of, structure_of
from .surroundings import globals_of, variables_of
from .values import node_of

_PARAMETERS = 10_000
"""Arguments of functions that are remembered for the names they give."""

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class _Turns:
    """A loop that a frame is in; `scope` is the turn that runs, None between two of them."""

    __slots__ = ("count", "loop", "scope")

    def __init__(self, loop: Loop) -> None:
        self.loop, self.count = loop, 0
        self.scope: Scope | None = None


class _Frame:
    """What is known of a frame that is traced. `line`: the one that ran last, None after an exception.

    `first`: the first line of its code; `step`: line and names of an instruction that assigns, while it runs.
    """

    __slots__ = ("first", "line", "loops", "scope", "seen", "step", "stores", "structure")

    def __init__(self, stores: Stores, structure: Structure, scope: Scope | None, first: int) -> None:
        self.stores, self.structure, self.scope, self.first = stores, structure, scope, first
        self.line: int | None = None
        self.step: tuple[int, tuple[str, ...]] | None = None
        self.loops: list[_Turns] = []
        self.seen: dict[str, int] = {}


class Tracing:
    """Traces the frames of the user's files while a recording runs; not where another tracer is at work already."""

    def __init__(self, recording: Recording, grads: GradWatch, returned: Callable[[FrameType], None]) -> None:
        self.recording, self.grads, self.returned = recording, grads, returned
        self._frames: dict[int, _Frame] = {}
        self._traced: dict[int, bool] = {}
        self._places: dict[tuple[int, int], Place] = {}
        self._stores: dict[int, tuple[CodeType, Stores]] = {}
        self._structures: dict[str, Structure] = {}
        self._python = PythonEvents(recording, self._wanted, self._entered, self._told)
        self._running = False

    def start(self, frame: FrameType | None) -> None:
        """Trace what is called from now on, and the rest of `frame`."""
        self._running = self._python.start(frame)
        if frame is not None and self._running:
            inside = self._frame(frame, None)
            inside.line = frame.f_lineno
            inside.seen = {k: id(v) for k, v in frame.f_locals.items() if isinstance(v, torch.Tensor)}
            for name, value in variables_of(frame).items():
                self._given(name, value, True)

    def stop(self) -> None:
        if not self._running:
            return
        self._python.stop()
        self._running, self._frames = False, {}

    # What Python says

    def _wanted(self, code: CodeType) -> bool:
        found = self._traced.get(id(code))
        if found is None:
            kind = self.recording.positions.kind(code)
            found = self._traced[id(code)] = kind == USER and code.co_name not in _COMPREHENSIONS
        return found

    def _entered(self, frame: FrameType) -> None:
        code, scope = frame.f_code, None
        if code.co_flags & inspect.CO_OPTIMIZED:
            structure = self._structure(code.co_filename)
            line = structure.functions.get(code.co_firstlineno, code.co_firstlineno)
            file = self.recording.positions.file(code.co_filename)
            scope = self.recording.scopes.enter("function", code.co_name, line, file)
            self._arguments(frame, code)
        self._frame(frame, scope)

    def _told(self, frame: FrameType, event: str, offset: int) -> None:
        inside = self._frames.get(id(frame))
        if inside is None or self.recording.quiet:
            return
        try:
            if event == "line" or (event == "jump" and offset in inside.stores.turns):
                self._line(frame, inside)
            elif event == "opcode":
                step, inside.step = inside.step, inside.stores.steps.get(offset)
                if step is not None:
                    line, names = step
                    self._assigned(frame, inside, line, names, True)
            elif event == "return":
                if inside.line is not None:
                    self._bind(frame, inside, inside.line)
                self._leave(frame, inside)
            elif event == "exception":
                inside.line = inside.step = None
        except Exception as error:
            self.recording.fail(error)

    def _line(self, frame: FrameType, inside: _Frame) -> None:
        self.recording.lines += 1
        before = inside.line
        if before is not None:
            self._bind(frame, inside, before)
        inside.line = frame.f_lineno
        if inside.structure.loops:
            self._turn(frame, inside, before)

    def _leave(self, frame: FrameType, inside: _Frame) -> None:
        for turns in inside.loops:
            self.recording.scopes.leave(turns.scope)
        if inside.scope is not None:
            self.recording.scopes.leave(inside.scope)
        self.returned(frame)
        self._frames.pop(id(frame), None)

    # Variables

    def _bind(self, frame: FrameType, inside: _Frame, line: int) -> None:
        """The line that has run assigned these."""
        stores = inside.stores
        if line in stores.grads:
            self.grads.look("assignment", self._place(frame, line))
        names = stores.names.get(line)
        if names is not None:
            again = line in inside.structure.single or inside.structure.enters(line, frame.f_lineno)
            self._assigned(frame, inside, line, names, again)

    def _assigned(self, frame: FrameType, inside: _Frame, line: int, names: tuple[str, ...], again: bool) -> None:
        """These were assigned, or may have been: `again` says that they were, also if they hold what they held."""
        if self.recording.truncated is not None:
            return
        variables = frame.f_locals
        for name in names:
            value = variables.get(name)
            if not isinstance(value, torch.Tensor):
                self._holds(name, value, True)
                continue
            if not again and inside.seen.get(name) == id(value):
                continue
            inside.seen[name] = id(value)
            self._bound(name, value, self._place(frame, line))

    def _bound(self, name: str, value: torch.Tensor, place: Place) -> None:
        recording = self.recording
        recording.settle()
        row = recording.tensors.held(value)
        if row is None:
            if is_lazy(value):  # nothing can be asked of it yet
                return
            with recording.silently():
                row = recording.tensor(value, place)
        assert row is not None
        if row.name is None:
            recording.called(name, row)
        recording.append(at({"kind": "bind", "name": name, "tensor": row.id}, place))

    def _place(self, frame: FrameType, line: int) -> Place:
        found = self._places.get((id(frame.f_code), line))
        if found is None:
            found = Place(self.recording.positions.file(frame.f_code.co_filename), line, None, None, None)
            self._places[id(frame.f_code), line] = found
        return found

    def _arguments(self, frame: FrameType, code: CodeType) -> None:
        """A function was called: what it takes from around it and its arguments name leaves that nothing else does."""
        if id(code) not in self._stores:
            for name, value in globals_of(code, frame.f_globals).items():
                self._given(name, value, True)
        count = code.co_argcount + code.co_kwonlyargcount
        if not (count or code.co_freevars) or len(self.recording.parameters) >= _PARAMETERS:
            return
        variables = frame.f_locals
        for name in code.co_freevars:
            self._given(name, variables.get(name), True)
        for name in code.co_varnames[:count]:
            self._given(name, variables.get(name), False)

    def _given(self, name: str, value: Any, variable: bool) -> None:
        """A function finds this under a name, which is a variable around it or an argument."""
        if isinstance(value, torch.Tensor):
            if value.requires_grad and node_of(value) is None:
                self.recording.parameters.setdefault(id(value), (name, value))
        elif not variable or not self.recording.holders.get(id(value), (name, value, False))[2]:
            self._holds(name, value, variable)

    def _holds(self, name: str, value: Any, variable: bool) -> None:
        """Modules and containers name their members in the end: by the last variable, else by the first argument."""
        holders, holding = self.recording.holders, self.recording.holding
        if len(holders) < _PARAMETERS and (variable or id(value) not in holders) and holding.holds(value):
            holders[id(value)] = (name, value, variable)

    # Loops

    def _turn(self, frame: FrameType, inside: _Frame, before: int | None) -> None:
        """A line begins, after another in this frame: turns of the loops around it may end and begin."""
        line, scopes, loops = frame.f_lineno, self.recording.scopes, inside.loops
        while loops and not loops[-1].loop.line <= line <= loops[-1].loop.last:
            scopes.leave(loops.pop().scope)
        for loop in inside.structure.loops.get(line, ()):
            if line >= inside.first and not any([turns.loop == loop for turns in loops]):
                loops.append(_Turns(loop))
        for turns in loops:
            loop = turns.loop
            if line == loop.line or (
                loop.again is not None and line == loop.first and not (before and line <= before <= loop.again)
            ):
                scopes.leave(turns.scope)
                turns.scope = None
            if line >= loop.first and turns.scope is None:
                file = self.recording.positions.file(frame.f_code.co_filename)
                turns.scope = scopes.enter("loop", loop.label, loop.line, file, turns.count)
                turns.count += 1

    # Frames

    def _frame(self, frame: FrameType, scope: Scope | None) -> _Frame:
        code = frame.f_code
        known, structure = self._stores.get(id(code)), self._structure(code.co_filename)
        if known is None:
            known = self._stores[id(code)] = code, stores_of(code, structure)
        _, stores = known
        if stores.steps:
            self._python.each_instruction(frame)
        made = self._frames[id(frame)] = _Frame(stores, structure, scope, code.co_firstlineno)
        return made

    def _structure(self, filename: str) -> Structure:
        found = self._structures.get(filename)
        if found is None:
            found = self._structures[filename] = structure_of(filename)
        return found
