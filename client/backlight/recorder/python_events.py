"""How Python tells which lines run: by `sys.monitoring` where it has that (3.12), else by its tracer."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .recording import Recording

_monitoring: Any = getattr(sys, "monitoring", None)
_TOOLS = (4, 3, 1, 5)
"""Numbers of tools that may be free."""

Wanted = Callable[[CodeType], bool]
Entered = Callable[[FrameType], None]
Happened = Callable[[FrameType, str, int], None]
"""Told of a frame, what happened, and the offset of the instruction where it did."""


class Tracer:
    """`sys.settrace`: there is room for one, so where another is at work this one is not."""

    def __init__(self, recording: Recording, wanted: Wanted, entered: Entered, happened: Happened) -> None:
        self.recording = recording
        self._global, self._local = _tracers(wanted, entered, happened)
        self._outer: FrameType | None = None
        self._outer_trace: Any = None

    def start(self, frame: FrameType | None) -> bool:
        """Tell of frames that are entered from now on, and of the rest of `frame`; False where that cannot be."""
        if sys.gettrace() is not None:
            return False
        self._outer = frame
        if frame is not None:
            self._outer_trace, frame.f_trace = frame.f_trace, self._local
        self.recording.trace = self._global
        sys.settrace(self._global)
        return True

    def each_instruction(self, frame: FrameType) -> None:
        """Tell of every instruction of a frame, too."""
        frame.f_trace_opcodes = True

    def stop(self) -> None:
        sys.settrace(None)
        self.recording.trace = None
        if self._outer is not None:
            self._outer.f_trace = self._outer_trace
            self._outer = None


def _tracers(wanted: Wanted, entered: Entered, happened: Happened) -> tuple[Any, Any]:
    """The functions that Python calls for each call of a function, and for what happens in those that are wanted.

    They are called for all of PyTorch's own functions, too, so what is not wanted is known by its identity at once.
    """

    others: set[int] = set()

    def called(frame: FrameType, event: str, _: Any) -> Any:
        if id(frame.f_code) in others:
            return None
        if not wanted(frame.f_code):
            others.add(id(frame.f_code))
            return None
        entered(frame)
        return inside

    def inside(frame: FrameType, event: str, _: Any) -> Any:
        happened(frame, event, frame.f_lasti)
        return inside

    return called, inside


class Monitor:
    """`sys.monitoring`: costs nothing in code that is not wanted, and leaves debuggers alone."""

    def __init__(self, recording: Recording, wanted: Wanted, entered: Entered, happened: Happened) -> None:
        self.wanted, self.entered, self.happened = wanted, entered, happened
        self._thread = threading.get_ident()
        self._tool: int | None = None
        self._codes: dict[int, CodeType] = {}

    def start(self, frame: FrameType | None) -> bool:
        """As that of `Tracer`; other threads are left out as it leaves them out."""
        self._tool = next((number for number in _TOOLS if _monitoring.get_tool(number) is None), None)
        if self._tool is None:
            return False
        events = _monitoring.events
        _monitoring.use_tool_id(self._tool, "backlight")
        for event, callback in (
            (events.PY_START, self._started),
            (events.PY_RESUME, self._started),
            (events.LINE, self._line),
            (events.JUMP, self._jumped),
            (events.INSTRUCTION, self._instruction),
            (events.PY_RETURN, self._returned),
            (events.PY_YIELD, self._returned),
            (events.RAISE, self._raised),
            (events.PY_UNWIND, self._returned),
        ):
            _monitoring.register_callback(self._tool, event, callback)
        self._everywhere = events.PY_START | events.PY_RESUME | events.RAISE | events.PY_UNWIND
        self._inside = events.LINE | events.JUMP | events.PY_RETURN | events.PY_YIELD
        if frame is not None:
            self._watch(frame.f_code)
        _monitoring.restart_events()
        _monitoring.set_events(self._tool, self._everywhere)
        return True

    def each_instruction(self, frame: FrameType) -> None:
        """As that of `Tracer`."""
        self._watch(frame.f_code)
        _monitoring.set_local_events(self._tool, frame.f_code, self._inside | _monitoring.events.INSTRUCTION)

    def stop(self) -> None:
        _monitoring.set_events(self._tool, 0)
        for code in self._codes.values():
            _monitoring.set_local_events(self._tool, code, 0)
        _monitoring.free_tool_id(self._tool)
        self._codes = {}

    def _watch(self, code: CodeType) -> None:
        if id(code) not in self._codes:
            self._codes[id(code)] = code
            _monitoring.set_local_events(self._tool, code, self._inside)

    def _started(self, code: CodeType, _: int) -> Any:
        if not self.wanted(code):
            return _monitoring.DISABLE
        if threading.get_ident() == self._thread:
            self._watch(code)
            self.entered(sys._getframe(1))
        return None

    def _line(self, code: CodeType, _: int) -> None:
        self.happened(sys._getframe(1), "line", -1)

    def _jumped(self, code: CodeType, start: int, end: int) -> Any:
        if end > start:
            return _monitoring.DISABLE
        self.happened(sys._getframe(1), "jump", start)  # where the frame is depends on the version
        return None

    def _instruction(self, code: CodeType, offset: int) -> None:
        self.happened(sys._getframe(1), "opcode", offset)

    def _returned(self, code: CodeType, _: int, __: Any) -> None:
        if id(code) in self._codes:
            self.happened(sys._getframe(1), "return", -1)

    def _raised(self, code: CodeType, _: int, __: Any) -> None:
        if id(code) in self._codes:
            self.happened(sys._getframe(1), "exception", -1)


PythonEvents: Any = Tracer if _monitoring is None else Monitor
"""The way of this Python."""
