"""The exceptions a program sees: values of our own, in the tree of Python's built-in ones.

    program                         host
    value of class `ValueError`  ⇄  RaisedValueError(Raised, ValueError)

A program never holds a Python exception, so nothing of one (traceback, frames, `obj`) is in its reach. Raising a value
throws a host exception that carries it and is of the matching host type, so engine code that catches `AttributeError`
or `StopIteration` from a user's method works; what the engine raises becomes a value when the program catches it.
"""

from __future__ import annotations

import builtins
import re
from typing import Any

from engine.program.errors import Position

_HIDDEN = {"BaseExceptionGroup", "ExceptionGroup", "EncodingWarning"}


class Raised:
    """Mixed into every host exception that carries a program's exception; `carried` is that exception."""

    carried: ExceptionValue

    def __str__(self) -> str:
        return str(self.carried)


class ExceptionValue:
    """`BaseException`, as the program sees it."""

    args: tuple[Any, ...]
    __module__ = "builtins"

    def __new__(cls, *args: Any, **kwargs: Any) -> ExceptionValue:
        self = object.__new__(cls)
        state = self.__dict__
        state["args"] = args
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(f"{type(self).__name__}() takes no keyword arguments")
        self.args = args

    def __str__(self) -> str:
        from engine.program.text import represent, to_text

        if len(self.args) == 1:
            return represent(self.args[0]) if isinstance(self, KEY_ERROR) else to_text(self.args[0])
        return represent(self.args) if self.args else ""

    def __repr__(self) -> str:
        from engine.program.text import represent

        inside = ", ".join(represent(argument) for argument in self.args)
        return f"{type(self).__name__}({inside})"

    def add_note(self, note: str) -> None:
        """Attach a line that a traceback would show below the message."""
        if not isinstance(note, str):
            raise TypeError(f"note must be a str, not '{type(note).__name__}'")
        self.__dict__.setdefault("__notes__", []).append(note)

    def with_traceback(self, traceback: object) -> ExceptionValue:
        """Returns self; tracebacks are not values here."""
        return self


def _mirror() -> dict[str, type[ExceptionValue]]:
    mirrored: dict[type, type[ExceptionValue]] = {BaseException: ExceptionValue, object: object}  # type: ignore[dict-item]
    ExceptionValue.__name__ = ExceptionValue.__qualname__ = "BaseException"

    def of(host: type) -> type[ExceptionValue]:
        if host not in mirrored:
            bases = tuple(of(base) for base in host.__bases__ if base is not object)
            mirrored[host] = type(host.__name__, bases, {"__module__": "builtins", "__doc__": host.__doc__})
        return mirrored[host]

    found = {}
    for name, host in vars(builtins).items():
        if isinstance(host, type) and issubclass(host, BaseException) and name not in _HIDDEN:
            found[name] = of(host)
    del mirrored[object]
    HOST.update({own: host for host, own in mirrored.items()})
    VALUE.update(mirrored)
    return found


HOST: dict[type, type[BaseException]] = {}
"""Class of the program → class of the host."""
VALUE: dict[type, type[ExceptionValue]] = {}
"""Class of the host → class of the program."""
EXCEPTIONS: dict[str, type[ExceptionValue]] = _mirror()
"""The built-in exception classes by name (IOError and EnvironmentError are OSError)."""
KEY_ERROR = EXCEPTIONS["KeyError"]
EXCEPTION = EXCEPTIONS["Exception"]


def _stop_value(self: Any) -> Any:
    return self.args[0] if self.args else None


EXCEPTIONS["StopIteration"].value = property(_stop_value)  # type: ignore[attr-defined]
EXCEPTIONS["SystemExit"].code = property(_stop_value)  # type: ignore[attr-defined]

_CARRIERS: dict[type[BaseException], type[BaseException]] = {}


def carrier(cls: type) -> type[BaseException]:
    """The host exception class that carries values of a program's exception class."""
    host = next(HOST[base] for base in cls.__mro__ if base in HOST)
    made = _CARRIERS.get(host)
    if made is None:
        initialize = host.__init__ if host is StopIteration else BaseException.__init__

        def construct(self: Any, value: ExceptionValue) -> None:
            initialize(self, *value.args)
            self.carried = value

        made = _CARRIERS[host] = type(f"Raised{host.__name__}", (Raised, host), {"__init__": construct})
    return made


def host_exception(value: ExceptionValue) -> BaseException:
    """What to throw so that the program's exception propagates."""
    return carrier(type(value))(value)


_ADDRESS = re.compile(r" at 0x[0-9a-f]{8,}(?=>)")
"""Where an object of the engine's stands in memory; the program's have numbers of their own (`Session.identity`)."""
_PLAIN = (int, float, str, bool, type(None))


def value_of(exception: BaseException) -> ExceptionValue:
    """The program's view of an exception the host caught; always the same value for the same exception."""
    if isinstance(exception, Raised):
        return exception.carried
    known: ExceptionValue | None = exception.__dict__.get("_program_value")
    if known is None:
        from engine.program import unworded

        told = unworded.replaced(exception)
        known = object.__new__(class_of(type(told)))
        known.args = _arguments(told)
        exception.__dict__["_program_value"] = known
    return known


def _arguments(exception: BaseException) -> tuple[Any, ...]:
    if all(type(argument) in _PLAIN for argument in exception.args):
        return tuple(_ADDRESS.sub(" at 0xADDR", a) if type(a) is str and " at 0x" in a else a for a in exception.args)
    from engine.program.kinds import admit
    from engine.program.values import UNSET

    args = tuple(admit(argument) for argument in exception.args)
    return (str(exception),) if any(argument is UNSET for argument in args) else args


def class_of(host: type[BaseException]) -> type[ExceptionValue]:
    """The program's class for a host exception class; the engine's own classes get one of the same name."""
    own = VALUE.get(host)
    if own is None:
        bases = tuple(class_of(base) for base in host.__bases__ if issubclass(base, BaseException))
        own = type(host.__name__, bases, {"__module__": host.__module__})
        VALUE[host] = own
        HOST[own] = host
    return own


class Trail:
    """Where an exception came from: (position, function) innermost first, as CPython builds its traceback.

    An entry is added when the exception leaves a function or is caught in it.
    """

    __slots__ = ("frames", "hint")

    def __init__(self) -> None:
        self.frames: list[tuple[Position | None, str]] = []
        self.hint: str | None = None


def trail(exception: BaseException) -> Trail:
    """The trail of an exception, shared by all throws of the same value."""
    holder: Any = exception.carried if isinstance(exception, Raised) else exception
    found: Trail | None = holder.__dict__.get("__trail__")
    if found is None:
        found = holder.__dict__["__trail__"] = Trail()
    return found
