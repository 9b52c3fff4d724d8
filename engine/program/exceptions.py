"""The exceptions a program sees: values of our own, in the tree of Python's built-in ones.

    program                         host
    value of class `ValueError`  ⇄  RaisedValueError(Raised, ValueError)

A program never holds a Python exception, so nothing of one (traceback, frames, `obj`) is in its reach. Raising a value
throws a host exception that carries it and is of the matching host type, so engine code that catches `AttributeError`
or `StopIteration` from a user's method works; what the engine raises becomes a value when the program catches it.
"""

from __future__ import annotations

import builtins
from typing import Any

from engine.limits import meter
from engine.program.errors import Position
from engine.program.text import represent, to_text

_HIDDEN = {"BaseExceptionGroup", "ExceptionGroup", "EncodingWarning"}


class MachineFailure(BaseException):
    """The machine failed, not the program: memory ran out, or Python met an error of its own (`failure`).

    What comes of it may be different next time. Not an `Exception`: like LimitExceeded it ends the program.
    """

    def __init__(self, failure: BaseException) -> None:
        super().__init__(str(failure))
        self.failure = failure


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
        if cls is EXCEPTIONS["OSError"] and len(args) in (2, 3, 4) and type(args[0]) is int:
            cls = VALUE[type(OSError(args[0], ""))]  # FileNotFoundError and its kin
        self = object.__new__(cls)
        state = self.__dict__
        # As in Python, where an OSError without arguments of its own waits for its __init__.
        own = cls.__init__ is not ExceptionValue.__init__ and issubclass(cls, EXCEPTIONS["OSError"])
        state["args"] = () if own else args
        return self

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(f"{type(self).__name__}() takes no keyword arguments")
        self.args = args

    def __str__(self) -> str:
        spoken = as_host(self) if isinstance(self, STRUCTURED) else None
        if spoken is not None:
            return str(spoken)
        if len(self.args) == 1:
            return represent(self.args[0]) if isinstance(self, KEY_ERROR) else to_text(self.args[0])
        return represent(self.args) if self.args else ""

    def __repr__(self) -> str:
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
    for method in (ExceptionValue.add_note, ExceptionValue.with_traceback):
        method.__qualname__ = f"BaseException.{method.__name__}"

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


STRUCTURED: tuple[type[ExceptionValue], ...] = tuple(
    EXCEPTIONS[name] for name in ("UnicodeError", "OSError", "SyntaxError", "ImportError")
)
"""Exceptions that make attributes of their arguments, and their text of those."""
_PARTS = {
    "UnicodeError": "encoding object start end reason",
    "OSError": "errno strerror filename filename2",
    "SyntaxError": "msg filename lineno offset text end_lineno end_offset",
    "ImportError": "msg",
}


def as_host(value: ExceptionValue) -> BaseException | None:
    """The exception that Python makes of the same arguments; None when it makes none."""
    try:
        return host_class(type(value))(*value.args)
    except TypeError:
        return None


def _part(name: str) -> property:
    def get(self: Any) -> Any:
        if name in self.__dict__:
            return self.__dict__[name]
        host = as_host(self)
        if host is None or not hasattr(host, name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        return getattr(host, name)

    return property(get, lambda self, new: self.__dict__.__setitem__(name, new))


def host_class(cls: type) -> type[BaseException]:
    """The host's class nearest to one of the program's."""
    return next(HOST[base] for base in cls.__mro__ if base in HOST)


def _stop_value(self: Any) -> Any:
    return self.args[0] if self.args else None


EXCEPTIONS["StopIteration"].value = property(_stop_value)  # type: ignore[attr-defined]
for _name, _parts in _PARTS.items():
    for _attribute in _parts.split():
        setattr(EXCEPTIONS[_name], _attribute, _part(_attribute))


NAMED = {"AttributeError": ("name", "obj"), "NameError": ("name",), "ImportError": ("name", "path")}
"""What exceptions say by keywords: where a name was looked for and not found."""


def tell(value: ExceptionValue, part: str, what: Any) -> None:
    """Set one of `NAMED`, which is not among an exception's own attributes."""
    value.__dict__[f"__told_{part}__"] = what


def _told(part: str) -> property:
    return property(lambda self: self.__dict__.get(f"__told_{part}__"), lambda self, new: tell(self, part, new))


def _telling(name: str, parts: tuple[str, ...]) -> Any:
    def __init__(self: ExceptionValue, *args: Any, **kwargs: Any) -> None:
        for part in kwargs:
            if part not in parts:
                raise TypeError(f"'{part}' is an invalid keyword argument for {name}()")
        self.args = args
        for part in parts:
            tell(self, part, kwargs.get(part))

    return __init__


for _name, _told_parts in NAMED.items():
    EXCEPTIONS[_name].__init__ = _telling(_name, _told_parts)  # type: ignore[method-assign]
    for _attribute in _told_parts:
        setattr(EXCEPTIONS[_name], _attribute, _told(_attribute))

EXCEPTIONS["SystemExit"].code = property(_stop_value)  # type: ignore[attr-defined]

_CARRIERS: dict[type[BaseException], type[BaseException]] = {}


def carrier(cls: type) -> type[BaseException]:
    """The host exception class that carries values of a program's exception class."""
    host = host_class(cls)
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


def is_machines(exception: BaseException) -> bool:
    """Whether an exception tells of the machine; a program that raises MemoryError itself tells of itself."""
    return isinstance(exception, MemoryError | SystemError) and not isinstance(exception, Raised)


def end_if_machines(exception: BaseException) -> None:
    """Raise MachineFailure instead of an exception that is none of the program's business."""
    if is_machines(exception):
        raise MachineFailure(exception) from None


def chain(value: ExceptionValue, handled: ExceptionValue | None) -> None:
    """What raising `value` while `handled` is being handled makes its `__context__`; no chain leads back to itself."""
    if handled is None or handled is value:
        return
    link, walked = handled, 0
    while (earlier := link.__dict__.get("__context__")) is not None:
        walked += 1
        if earlier is value:
            link.__dict__["__context__"] = None
            break
        link = earlier
    meter.charge(walked >> 4)
    value.__dict__["__context__"] = handled


UNICODE_PARTS = ("encoding", "object", "start", "end", "reason")


def class_of(host: type[BaseException]) -> type[ExceptionValue]:
    """The program's class for a host exception class; the engine's own classes get one of the same name."""
    own = VALUE.get(host)
    if own is None:
        bases = tuple(class_of(base) for base in host.__bases__ if issubclass(base, BaseException))
        own = type(host.__name__, bases, {"__module__": host.__module__})
        VALUE[host] = own
        HOST[own] = host
    return own


def _unicode_text(self: ExceptionValue) -> str:
    """What Python makes of the five arguments; they are checked when it is made."""
    return str(next(HOST[base] for base in type(self).__mro__ if base in HOST)(*self.args))


def _unicode_init(self: Any, *args: Any) -> None:
    host = next(HOST[base] for base in type(self).__mro__ if base in HOST)
    host(*args)  # raises TypeError for arguments of other types or number
    self.args = args
    for name, value in zip(UNICODE_PARTS, args, strict=True):
        setattr(self, name, value)


for _name in ("UnicodeEncodeError", "UnicodeDecodeError"):
    EXCEPTIONS[_name].__init__ = _unicode_init  # type: ignore[method-assign]
    EXCEPTIONS[_name].__str__ = _unicode_text  # type: ignore[method-assign]


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
    holder = holder.__dict__.get("_program_value", holder)
    found: Trail | None = holder.__dict__.get("__trail__")
    if found is None:
        found = holder.__dict__["__trail__"] = Trail()
    return found


class Traceback:
    """The way of an exception from where it was caught inwards: (line, function) of each frame."""

    __slots__ = ("frames",)

    def __init__(self, frames: list[tuple[int, str]]) -> None:
        self.frames = frames

    @property
    def tb_lineno(self) -> int:
        return self.frames[0][0]

    @property
    def tb_next(self) -> Traceback | None:
        meter.charge(len(self.frames) >> 5)
        return Traceback(self.frames[1:]) if len(self.frames) > 1 else None


Traceback.__name__ = Traceback.__qualname__ = "traceback"
Traceback.__module__ = "builtins"


def traceback_of(value: ExceptionValue) -> Traceback | None:
    """The way that an exception has come so far; None before it is raised."""
    found: Trail | None = value.__dict__.get("__trail__")
    frames = [(at[0], name) for at, name in reversed(found.frames) if at is not None] if found is not None else []
    meter.charge(len(frames) >> 3)
    return Traceback(frames) if frames else None


def unconverted(exception: BaseException) -> BaseException:
    """An exception on its way through the body of a generator.

    A body is run by generators of the host, and the host makes a RuntimeError of every StopIteration that leaves one;
    for the program it still is what it was.
    """
    cause = exception.__cause__
    return cause if type(exception) is RuntimeError and isinstance(cause, StopIteration) else exception
