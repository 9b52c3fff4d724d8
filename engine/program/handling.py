"""What `raise`, `except` and `with` do while a program runs: exceptions being handled, contexts entered and left."""

from __future__ import annotations

from typing import Any

from engine.core.state import state
from engine.program.admission import caught, value_of
from engine.program.calls import call
from engine.program.charges import made
from engine.program.exceptions import EXCEPTIONS, ExceptionValue, carrier, chain, host_exception, traceback_of, trail
from engine.program.kinds import ENGINE, kind_of
from engine.program.session import Session
from engine.program.values import Function

CATCHABLE: Any = (
    Exception,
    *(carrier(EXCEPTIONS[name]) for name in ("BaseException", "SystemExit", "KeyboardInterrupt", "GeneratorExit")),
)
"""What a program's handlers may see. LimitExceeded is not among them."""


def handled(session: Session) -> ExceptionValue | None:
    """The exception that is being handled."""
    return session.handling[-1] if session.handling else None


def handled_no_more(session: Session, value: ExceptionValue) -> None:
    """The block that handles an exception ends; a generator that dies in one has taken it along."""
    if session.handling and session.handling[-1] is value:
        session.handling.pop()


def throw(value: ExceptionValue, session: Session) -> None:
    """Raise a program's exception."""
    if session.handling:
        chain(value, session.handling[-1])
    raise host_exception(value) from None


def matches(value: ExceptionValue, types: Any) -> bool:
    """Whether an `except` clause for `types` catches an exception."""
    if type(types) is tuple:
        made(len(types))
    for kind in types if type(types) is tuple else (types,):
        if not (isinstance(kind, type) and issubclass(kind, ExceptionValue)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
        if isinstance(value, kind):
            return True
    return False


def enter(context: Any) -> Any:
    """Enter a context manager. Raises TypeError when it is none."""
    kind = type(context)
    if not hasattr(kind, "__enter__"):
        raise TypeError(f"'{kind.__name__}' object does not support the context manager protocol")
    if not hasattr(kind, "__exit__"):
        raise TypeError(
            f"'{kind.__name__}' object does not support the context manager protocol (missed __exit__ method)"
        )
    method = kind.__enter__
    return call(method, (context,), None) if type(method) is Function else method(context)


def leave(context: Any, exception: BaseException | None) -> bool:
    """Leave it; true when it swallowed the exception."""
    kind = type(context)
    method = kind.__exit__
    if type(method) is Function:
        if exception is None:
            return bool(call(method, (context, None, None, None), None))
        value = value_of(exception)
        return bool(call(method, (context, type(value), value, traceback_of(value)), None))
    if exception is None:
        return bool(method(context, None, None, None))
    return bool(method(context, type(exception), exception, None))


def leave_raised(session: Session, context: Any, exception: BaseException, where: str) -> bool:
    """The same, of a block that raised in the function `where`: meanwhile its exception is the one being handled."""
    value = caught(exception, handled(session))
    session.handling.append(value)
    frames = trail(exception).frames
    passed = len(frames)
    frames.append((state.position, where))
    try:
        swallowed = leave(context, exception)
        del frames[passed:]  # it may have gone through a generator meanwhile
        return swallowed
    except CATCHABLE as another:
        caught(another, value)
        raise
    finally:
        handled_no_more(session, value)


def abandon(context: Any) -> None:
    """Leave the engine's context managers when a limit stops the program; the program's own do not run."""
    kind = type(context)
    if kind_of(kind) == ENGINE and type(kind.__exit__) is not Function:
        kind.__exit__(context, None, None, None)
