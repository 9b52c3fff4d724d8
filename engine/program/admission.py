"""What enters a program: values of the engine, and exceptions of the host. Closed by default."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program import unworded
from engine.program.annotations import TypeVar as variable  # noqa: N813 - for the other of that name
from engine.program.arrays import wrap
from engine.program.exceptions import (
    EXCEPTIONS,
    UNICODE_PARTS,
    ExceptionValue,
    Raised,
    chain,
    class_of,
    end_if_machines,
    host_exception,
    tell,
    unconverted,
)
from engine.program.kinds import OTHER, is_engine_class, kind_of
from engine.program.outcome import ADDRESS
from engine.program.shared import MUTABLE, of_this_run, own
from engine.program.tables import METHODS
from engine.program.values import UNSET

STANDING_FOR: dict[type, Callable[[Any], Any]] = {}
"""What a program gets instead of a value, by base class; `bridge` has it for the engine's modules."""


def admit(value: Any) -> Any:
    """A value on its way from the engine to the program, as the program may hold it; UNSET when it may not."""
    kind = type(value)
    closed = sessions.active.closed
    if kind in closed:
        return value
    if kind in MUTABLE:
        return own(value)
    if kind is np.ndarray or isinstance(value, np.generic):
        return wrap(value)
    if kind is TypeVar:
        return variable(value.__name__)
    if isinstance(value, ModuleType):
        return STANDING_FOR[ModuleType](value)
    if isinstance(value, type):
        if issubclass(value, BaseException):
            return class_of(value)
        if is_engine_class(value) or "__program__" in value.__dict__ or value in METHODS or value is ExceptionValue:
            return value
        return UNSET
    if isinstance(value, BaseException):
        return value_of(value)
    if kind_of(kind) != OTHER:
        sessions.active.join(kind)
        return value
    return UNSET


_PLAIN = (int, float, str, bool, type(None))
_TOLD: dict[type[BaseException], str] = {
    json.JSONDecodeError: "msg doc pos lineno colno",
    re.error: "msg pattern pos lineno colno",
}
"""What exceptions of Python's library say besides their arguments."""


def value_of(exception: BaseException) -> ExceptionValue:
    """The program's view of an exception the host caught; always the same value for the same exception.

    Raises MachineFailure for what a program must not see.
    """
    if isinstance(exception, Raised):
        return exception.carried
    end_if_machines(exception)
    known: ExceptionValue | None = exception.__dict__.get("_program_value")
    if known is None:
        _weigh(exception)
        told = unworded.replaced(exception)
        known = object.__new__(class_of(type(told)))
        known.args = _arguments(told)
        if isinstance(told, UnicodeError) and len(known.args) == len(UNICODE_PARTS):
            known.__dict__.update(zip(UNICODE_PARTS, known.args, strict=True))
        if isinstance(told, AttributeError | NameError | ImportError):
            _tell(known, told)
        for kind, names in _TOLD.items():
            if isinstance(told, kind):
                known.__dict__.update({name: getattr(told, name) for name in names.split()})
        exception.__dict__["_program_value"] = known
        if "__trail__" in exception.__dict__:
            known.__dict__["__trail__"] = exception.__dict__["__trail__"]
        if exception.__cause__ is not None:
            known.__dict__["__cause__"] = known.__dict__["__context__"] = value_of(exception.__cause__)
            known.__dict__["__suppress_context__"] = True
    return known


def _tell(known: ExceptionValue, told: AttributeError | NameError | ImportError) -> None:
    """Say which name was not found, and where, if that is something of the program's."""
    for part in ("name", "path", "obj"):
        found = getattr(told, part, None)
        if type(found) in _PLAIN or of_this_run(found):
            tell(known, part, found)


_LONG = 1024
"""Characters of an error's text from which on it is charged for being searched."""


def _weigh(exception: BaseException) -> None:
    for argument in exception.args:
        if type(argument) is str and len(argument) > _LONG:
            meter.charge(len(argument) >> 7)


def _arguments(exception: BaseException) -> tuple[Any, ...]:
    if all(type(argument) in _PLAIN or type(argument) is bytes for argument in exception.args):
        return tuple([_without_address(argument) for argument in exception.args])
    args = tuple(admit(argument) for argument in exception.args)
    return (_without_address(str(exception)),) if any(argument is UNSET for argument in args) else args


def _without_address(argument: Any) -> Any:
    """The same without the addresses that Python writes into its messages about objects."""
    return ADDRESS.sub(" at 0xADDR", argument) if type(argument) is str and " at 0x" in argument else argument


def caught(exception: BaseException, handled: ExceptionValue | None) -> ExceptionValue:
    """`value_of`, where an exception of the host is first seen: it was raised while `handled` was being handled."""
    value = value_of(exception)
    if not isinstance(exception, Raised) and "__context__" not in value.__dict__:
        value.__dict__["__context__"] = None
        chain(value, handled)
    return value


def leaving_generator(exception: BaseException) -> BaseException:
    """What an exception becomes where it leaves a generator of the program."""
    raised = unconverted(exception)
    if not isinstance(raised, StopIteration):
        return exception
    value = EXCEPTIONS["RuntimeError"]("generator raised StopIteration")
    value.__dict__["__cause__"] = value.__dict__["__context__"] = value_of(raised)
    value.__dict__["__suppress_context__"] = True
    return host_exception(value)
