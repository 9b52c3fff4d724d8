"""numpy's floating-point errors: what the program's own arithmetic does about them is up to the program. That of the
engine is silent, as PyTorch is.

numpy tells of each error (`write`), and who caused it decides.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from typing import Any

import numpy as np

from engine.program.places import ENGINE, FILE

Modes = dict[str, str]

_DEFAULT: Modes = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_NUMPY = np.__file__.rpartition("__init__")[0]
_KINDS = {
    "divide by zero": ("divide", 1),
    "overflow": ("over", 2),
    "underflow": ("under", 4),
    "invalid value": ("invalid", 8),
}
"""By numpy's words: what the errors are called in its settings, and their bits."""


class FloatErrors:
    """What a program does about floating-point errors: `modes`, and what it wants to be called with them."""

    def __init__(self) -> None:
        self.modes, self.called = dict(_DEFAULT), None
        self._set, self._state = np.seterr, np.errstate

    @contextmanager
    def handled(self) -> Iterator[None]:
        """While this is open, numpy asks here."""
        own = self._functions()
        before = {name: getattr(np, name) for name in own}
        with self._state(call=self):
            self._apply()
            vars(np).update(own)
            try:
                yield
            finally:
                vars(np).update(before)

    def _apply(self) -> None:
        self._set(**{kind: "ignore" if mode == "ignore" else "log" for kind, mode in self.modes.items()})

    def write(self, text: str) -> None:
        """An error happened, and `text` tells of it."""
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename.startswith(_NUMPY):
            frame = frame.f_back
        file = FILE if frame is None else frame.f_code.co_filename
        if file.startswith((ENGINE, "<")) and file not in (FILE, "<string>"):  # the engine makes functions, too
            return
        message = text.removeprefix("Warning: ").rstrip("\n")
        what, _, where = message.partition(" encountered in ")
        kind, bit = _KINDS[what]
        mode, called = self.modes[kind], self.called
        if mode == "warn":
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        elif mode == "raise":
            raise FloatingPointError(message)
        elif mode == "print":
            sys.stderr.write(text)
        elif called is None:
            asked = "log" if mode == "log" else "python callback"
            wanted = "object with write method" if mode == "log" else "function"
            raise NameError(f"{asked} specified for {what} (in {where}) but no {wanted} found.")
        elif mode == "log":
            called.write(text)
        else:
            called(what, bit)

    def _functions(self) -> dict[str, Any]:
        """What programs find in numpy."""
        handler, checked = self, self._state

        def seterr(
            all: str | None = None,
            divide: str | None = None,
            over: str | None = None,
            under: str | None = None,
            invalid: str | None = None,
        ) -> Modes:
            before = dict(handler.modes)
            given = {"divide": divide, "over": over, "under": under, "invalid": invalid}
            with checked(all=all, **given):  # type: ignore[arg-type]
                handler.modes = {kind: mode or all or before[kind] for kind, mode in given.items()}
            handler._apply()
            return before

        def seterrcall(func: Any) -> Any:
            with checked(call=func):
                before, handler.called = handler.called, func
            return before

        class errstate(ContextDecorator):
            def __init__(self, *, call: Any = handler, **modes: str | None) -> None:
                self.call, self.given = call, modes

            def __enter__(self) -> None:
                self.before = handler.modes, handler.called
                seterr(**self.given)
                if self.call is not handler:
                    seterrcall(self.call)

            def __exit__(self, *error: object) -> None:
                handler.modes, handler.called = self.before
                handler._apply()

        made: dict[str, Callable[..., Any]] = {
            "seterr": seterr,
            "geterr": lambda: dict(handler.modes),
            "seterrcall": seterrcall,
            "geterrcall": lambda: handler.called,
            "errstate": errstate,
        }
        for name, each in made.items():
            each.__name__ = each.__qualname__ = name
            each.__module__ = "numpy"
        return made
