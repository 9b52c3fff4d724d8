"""What a program sees of the machine: the same for the same program, on every machine and at any time.

The clock is the work done so far, sleeping takes no time, randomness of the system comes from the seed, and objects are
numbered as they are first asked for.
"""

from __future__ import annotations

import builtins
import calendar
import ctypes
import datetime
import os
import random
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from engine.core.state import state
from engine.limits import Limits, meter

EPOCH = 1_700_000_000.0
"""Seconds since 1970 at which programs begin."""
PID = 4711
NOWHERE, FIRST, APART = 0x7EF0, 0x7F00, 0x10
"""What `id()` gives, and reprs have for addresses: when no program runs, for the first object, from one to the next."""
_MISSING = object()


class Clock:
    """Time that advances with the work done: a millionth of a second for a step."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.budget = limits, meter.budget

    def elapsed(self) -> float:
        return (self.limits.fuel - self.budget[0]) * 1e-6

    def time(self) -> float:
        return EPOCH + self.elapsed()

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What the module `time` has instead of its own."""
        gmtime, strftime, asctime = time.gmtime, time.strftime, time.asctime
        measured = ("perf_counter", "monotonic", "process_time", "thread_time")
        found: dict[str, Callable[..., Any]] = {name: lambda: self.elapsed() for name in measured}
        found |= {f"{name}_ns": lambda: int(self.elapsed() * 1e9) for name in measured}
        return found | {
            "time": lambda: self.time(),
            "time_ns": lambda: int(self.time() * 1e9),
            "sleep": _sleep,
            "gmtime": lambda seconds=None: gmtime(self.time() if seconds is None else seconds),
            "localtime": lambda seconds=None: gmtime(self.time() if seconds is None else seconds),
            "mktime": lambda parts: float(calendar.timegm(parts)),
            "strftime": lambda format, t=None: strftime(format, gmtime(self.time()) if t is None else t),
            "asctime": lambda t=None: asctime(gmtime(self.time()) if t is None else t),
            "ctime": lambda seconds=None: asctime(gmtime(self.time() if seconds is None else seconds)),
        }

    def datetime(self) -> type[datetime.datetime]:
        """`datetime.datetime` with this clock."""
        clock, real = self, datetime.datetime

        class Kind(type):
            def __instancecheck__(cls, value: object) -> bool:
                return isinstance(value, real)

            def __subclasscheck__(cls, kind: type) -> bool:
                return issubclass(kind, real)

        class DateTime(datetime.datetime, metaclass=Kind):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return real.fromtimestamp(round(clock.time(), 6), datetime.UTC if tz is None else tz).replace(tzinfo=tz)

            @classmethod
            def utcnow(cls) -> Any:
                return cls.now()

            today = utcnow

            def __repr__(self) -> str:
                return f"datetime.{real.__repr__(self)}"  # which names the class of a heap type without its module

        DateTime.__name__ = DateTime.__qualname__ = "datetime"
        DateTime.__module__ = "datetime"
        return DateTime


class Identities:
    """Numbers for `id()` and addresses in reprs: the same for the same object, and in every run of the program.

    Objects are numbered as they are first asked for, and no number is given twice, whatever becomes of its object.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[int, Any]] = {}
        self.given = 0
        self.over = False

    def of(self, value: Any) -> int:
        key = id(value)
        known = self.known.get(key)
        if known is None:
            if self.over:
                return NOWHERE
            try:
                held: Any = _Mark(value, self.known, key)
            except TypeError:
                held = value  # so that nothing else gets its address
            known = self.known[key] = (FIRST + APART * self.given, held)
            self.given += 1
        return known[0]

    def for_the_engine(self, value: Any) -> int:
        """The same; the engine may still ask when the program has ended: then, what it never saw has its address."""
        return self.of(value) if not self.over or id(value) in self.known else id(value)


class _Mark(weakref.ref[Any]):
    """Forgets the number of an object that has died, so that another one at its address gets one of its own."""

    __slots__ = ()

    def __new__(cls, value: Any, known: dict[int, Any], key: int) -> _Mark:
        return super().__new__(cls, value, lambda dead: known.pop(key, None))

    def __init__(self, value: Any, known: dict[int, Any], key: int) -> None:
        pass


@contextmanager
def world(limits: Limits, seed: int | None) -> Iterator[Identities]:
    """Programs that run in this block see a world of their own; `seed` None draws from the system's randomness."""
    global _numbered
    clock, identities = Clock(limits), Identities()
    with ExitStack() as undone:
        for module, name, value in _replacements(clock, identities, seed):
            undone.callback(_restore, module, name, vars(module).get(name, _MISSING))
            setattr(module, name, value)
        before, state_of_numpy, state_of_random = state.identify, np.random.get_state(), random.getstate()
        undone.callback(np.random.set_state, state_of_numpy)
        undone.callback(random.setstate, state_of_random)
        undone.callback(setattr, state, "identify", before)
        state.identify = identities.for_the_engine
        _numbered = identities
        random.seed(seed)
        np.random.seed(None if seed is None else seed & 0xFFFFFFFF)
        try:
            yield identities
        finally:
            identities.over = True
            _numbered = None


def _replacements(clock: Clock, identities: Identities, seed: int | None) -> Iterator[tuple[Any, str, Any]]:
    for name, function in clock.functions().items():
        yield time, name, _named(name, function)
    yield datetime, "datetime", clock.datetime()
    if seed is not None:
        entropy = random.Random(f"system {seed}").randbytes
        yield os, "urandom", entropy
        yield random, "_urandom", entropy
    yield os, "getpid", lambda: PID
    yield sys, "argv", ["program.py"]


def built_in(identities: Identities) -> dict[str, Callable[..., Any]]:
    """What a program has in place of Python's own: nothing else in the process does."""
    return {
        "id": _named("id", lambda *given: identities.of(_only("id", given))),
        "input": _named("input", _input),
        "__build_class__": _named("__build_class__", _build_class),
    }


def _named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    return function


def _restore(module: Any, name: str, value: Any) -> None:
    if value is _MISSING:
        delattr(module, name)
    else:
        setattr(module, name, value)


def _sleep(seconds: float, /) -> None:
    """`time.sleep`, in no time."""
    if not hasattr(type(seconds), "__float__") and not hasattr(type(seconds), "__index__"):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")


def _only(name: str, given: tuple[Any, ...]) -> Any:
    if len(given) != 1:
        raise TypeError(f"{name}() takes exactly one argument ({len(given)} given)")
    return given[0]


def _input(prompt: object = "", /) -> str:
    raise EOFError("input() cannot ask anybody here: put the value into the program")


_HASH = 15 * ctypes.sizeof(ctypes.c_void_p)
"""Where a class keeps the function that hashes its objects (`tp_hash` of CPython's `PyTypeObject`)."""
_BY_ADDRESS = ctypes.c_void_p.from_address(id(object) + _HASH).value
_numbered: Identities | None = None


def _hash(value: object) -> int:
    return id(value) >> 4 if _numbered is None else _numbered.of(value) >> 4


_by_number = ctypes.PYFUNCTYPE(ctypes.c_ssize_t, ctypes.py_object)(_hash)


def hash_by_number(kind: type) -> None:
    """Have objects of a class lie in sets by their numbers, not by their addresses, where nothing else is said of them.

    A method of that name would be seen, by `vars` and by dataclasses.
    """
    slot = ctypes.c_void_p.from_address(id(kind) + _HASH)
    if slot.value == _BY_ADDRESS:
        slot.value = ctypes.cast(_by_number, ctypes.c_void_p).value


def _build_class(function: Any, name: str, /, *bases: Any, **options: Any) -> Any:
    made = builtins.__build_class__(function, name, *bases, **options)
    if isinstance(made, type) and not issubclass(made, type):
        hash_by_number(made)
    return made
