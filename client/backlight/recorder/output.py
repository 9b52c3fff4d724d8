"""What a program prints, and what it is warned of."""

from __future__ import annotations

import sys
import warnings
from typing import Any, TextIO

from ..document.limits import TEXT, WARNINGS, shorten
from .layers import Layers
from .owners import HERE
from .positions import at
from .recording import Recording


class Output:
    """Writes on to where it went before, and writes down what that was."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._showwarning: Any = None
        self._layers = Layers()

    def start(self) -> None:
        self._layers.put(sys, "stdout", self._reading, yielding=True)
        self._layers.put(warnings, "showwarning", self._in_place_of, yielding=True)

    def stop(self) -> None:
        self._layers.clear()

    def _reading(self, stream: TextIO) -> Any:
        return _Tee(stream, self.recording)

    def _in_place_of(self, original: Any) -> Any:
        self._showwarning = original
        return self._warned

    def _warned(self, message: Any, category: type, filename: str, lineno: int, *args: Any, **kwargs: Any) -> None:
        recording = self.recording
        if recording.scopes.elsewhere():
            self._showwarning(message, category, filename, lineno, *args, **kwargs)
            return
        place = recording.user(sys._getframe(1))
        row = {"category": category.__name__, "message": shorten(str(message), TEXT)}
        if len(recording.warnings) < WARNINGS:
            recording.warnings.append(at({**row}, place))
        recording.put("warning", place, category=row["category"], message=row["message"])
        if place is not None and filename.startswith(HERE):  # of a method of PyTorch's that is watched
            filename, lineno = recording.positions.files[place.file], place.line
        self._showwarning(message, category, filename, lineno, *args, **kwargs)


class _Tee:
    """A stdout that the recording reads along."""

    def __init__(self, stream: TextIO, recording: Recording) -> None:
        self._stream, self._recording = stream, recording
        self._open: tuple[Any, ...] = ()

    def write(self, text: str) -> int:
        recording = self._recording
        if text and not (recording.over or recording.quiet or recording.scopes.elsewhere()):
            recording.settle()
            recording.stdout.append(text)
            self._put(text)
        return self._stream.write(text)

    def _put(self, text: str) -> None:
        """What one run of a line prints in one call is one event."""
        recording = self._recording
        place = recording.user(sys._getframe(2))
        last = recording.events[-1] if recording.events else None
        now = (place, recording.lines)
        if recording.truncated is not None:
            recording.missed_text.append(text)
            recording.missed["events"] += not text.isspace()
        elif isinstance(last, dict) and last["kind"] == "print" and now == self._open:
            last["text"] += text
            recording.weight += len(text)
        else:
            recording.put("print", place, weight=2 * len(text), text=text)
            self._open = now

    def writelines(self, lines: Any) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
