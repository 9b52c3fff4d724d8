"""`warnings`, and collecting what the engine and the program warn of.

Warnings are kept with the line of the program that caused them, once per line and text, as Python's default filter
shows them.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.core.state import state
from engine.program import session as sessions
from engine.program.charges import copied, made
from engine.program.exceptions import EXCEPTIONS, ExceptionValue, class_of, host_exception
from engine.program.outcome import Warned
from engine.program.regex import at_start, compiled
from engine.program.session import Session
from engine.program.text import represent, to_text
from engine.program.values import Builtin, name_as

_HIDDEN_BY_DEFAULT = frozenset({"PendingDeprecationWarning", "ImportWarning", "ResourceWarning"})


def record(category: type, message: str, value: Any = None) -> None:
    """Keep a warning unless a filter hides it. `value`: the warning, where the program made it itself."""
    session = sessions.active
    line = state.position[0] if state.position is not None else None
    action = _action(session, category, message)
    if action == "error":
        raise host_exception(
            value or (category if issubclass(category, ExceptionValue) else EXCEPTIONS["UserWarning"])(message)
        )
    if action == "ignore":
        return
    key = (category.__name__, message, None if action == "once" else line)
    if action != "always" and key in session.warned:
        return
    session.warned.add(key)
    session.warnings.append(Warned(category.__name__, message, line, category, value))
    if session.recorder is not None:
        session.recorder.warning(category.__name__, message, line)


def _action(session: Session, category: type, message: str) -> str:
    made(len(session.filters))
    for action, pattern, kind in reversed(session.filters):
        if issubclass(category, kind) and (pattern is None or at_start(pattern, message, 0, len(message), False)):
            return str(action)
    return "ignore" if category.__name__ in _HIDDEN_BY_DEFAULT else "default"


@contextmanager
def collecting() -> Iterator[None]:
    """While this is open, the engine's warnings go to the active session."""

    def show(message: Any, category: type, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        record(class_of(category), str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield


# --- the module


def _warn(message: Any, category: Any = None, stacklevel: int = 1, source: Any = None) -> None:
    value = None
    if isinstance(message, ExceptionValue):
        category, message, value = type(message), to_text(message), message
    category = EXCEPTIONS["UserWarning"] if category is None else category
    if not (isinstance(category, type) and issubclass(category, EXCEPTIONS["Warning"])):
        given = category.__name__ if isinstance(category, type) else to_text(category)
        raise TypeError(f"category must be a Warning subclass, not '{given}'")
    record(category, to_text(message), value)


def _filterwarnings(
    action: str,
    message: str = "",
    category: Any = EXCEPTIONS["Warning"],
    module: str = "",
    lineno: int = 0,
    append: bool = False,
) -> None:
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise ValueError(f"invalid action: {represent(action)}")
    pattern = compiled(message, re.IGNORECASE) if message else None
    filters = sessions.active.filters
    filters.insert(0, (action, pattern, category)) if append else filters.append((action, pattern, category))


def _simplefilter(action: str, category: Any = EXCEPTIONS["Warning"], lineno: int = 0, append: bool = False) -> None:
    _filterwarnings(action, "", category, append=append)


def _resetwarnings() -> None:
    sessions.active.filters.clear()


class CatchWarnings:
    """`warnings.catch_warnings(record=False)`."""

    __module__ = "warnings"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *, record: bool = False, **options: Any) -> None:
        self._record = record
        self._filters: list[Any] = []
        self._before = 0
        self._caught: list[Any] | None = None

    def __enter__(self) -> Any:
        session = sessions.active
        copied(len(session.filters))
        self._filters = list(session.filters)
        self._before = len(session.warnings)
        if not self._record:
            return None
        self._caught = _Caught(session, self._before)
        return self._caught

    def __exit__(self, *exception: object) -> None:
        session = sessions.active
        session.filters[:] = self._filters
        if isinstance(self._caught, _Caught):
            self._caught.finish()


CatchWarnings.__name__ = CatchWarnings.__qualname__ = "catch_warnings"


class WarningMessage:
    """One caught warning: `message`, `category`, `lineno`."""

    __module__ = "warnings"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, caught: Warned) -> None:
        self.category = caught.kind or EXCEPTIONS.get(caught.category, EXCEPTIONS["UserWarning"])
        self.message = self.category(caught.message) if caught.value is None else caught.value
        self.lineno = caught.line
        self.filename = "program.py"


class _Caught(list[Any]):
    """What `catch_warnings(record=True)` yields: a list of the warnings since then, taken out of the run's own."""

    def __init__(self, session: Session, start: int) -> None:
        super().__init__()
        self.session, self.start, self.open = session, start, True

    def finish(self) -> None:
        self._take()
        self.open = False

    def _take(self) -> None:
        if self.open:
            new = self.session.warnings[self.start :]
            del self.session.warnings[self.start :]
            super().extend(WarningMessage(warned) for warned in new)

    def __len__(self) -> int:
        self._take()
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        self._take()
        return super().__iter__()

    def __getitem__(self, index: Any) -> Any:
        self._take()
        return super().__getitem__(index)

    def __bool__(self) -> bool:
        return len(self) > 0


name_as(_Caught, "list")

MODULES = {
    "warnings": {
        "warn": Builtin("warn", _warn),
        "filterwarnings": Builtin("filterwarnings", _filterwarnings),
        "simplefilter": Builtin("simplefilter", _simplefilter),
        "resetwarnings": Builtin("resetwarnings", _resetwarnings),
        "catch_warnings": CatchWarnings,
        "WarningMessage": WarningMessage,
    },
}
