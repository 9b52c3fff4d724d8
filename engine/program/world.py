"""What a program sees of the machine: the same for the same program, on every machine and at any time.

The clock is the work done so far and what was slept, which takes no time, randomness of the system comes from the seed,
and objects are numbered as they are first asked for.
"""

from __future__ import annotations

import atexit
import builtins
import calendar
import copy
import copyreg
import datetime
import errno
import io
import os
import random
import subprocess
import sys
import tempfile
import time
import traceback
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from types import FrameType, ModuleType
from typing import Any, NoReturn

import numpy as np
from numpy.lib import _datasource
from pyfakefs import fake_file, fake_open
from pyfakefs.fake_file import FakeFileWrapper, FakePipeWrapper
from pyfakefs.fake_filesystem import FakeFilesystem
from pyfakefs.fake_filesystem_unittest import Patcher
from pyfakefs.fake_io import FakeIoModule
from pyfakefs.fake_os import FakeOsModule
from pyfakefs.fake_path import FakePathModule

from engine import hashes
from engine.core.state import state
from engine.limits import Limits, meter
from engine.program import machine
from engine.program.identities import Identities
from engine.program.machine import EPOCH, HOME, named
from engine.program.places import ENGINE, FILE
from engine.program.threads import Waiting, forget_loops, prepare_loops
from engine.program.watch import delegates
from engine.program.written import importable
from engine.types.naming import call_in_errors

PROGRAM = "/home/program.py"
"""The file that the program seems to lie in."""
_MISSING = object()
_entropy = os.urandom


class Clock:
    """Time that advances with the work done: a millionth of a second for a step, and for a look at it."""

    def __init__(self) -> None:
        self.wait: Callable[[float], object] = self.advance
        self.begin(Limits())

    def begin(self, limits: Limits) -> None:
        """It is the time at which programs begin."""
        self.fuel, self.budget, self.waited = limits.fuel, meter.budget, 0.0

    def elapsed(self) -> float:
        self.waited += 1e-6
        return (self.fuel - self.budget[0]) * 1e-6 + self.waited

    def advance(self, seconds: float) -> None:
        self.waited += seconds

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
            "sleep": lambda seconds, /: self.wait(_seconds(seconds)),
            "gmtime": lambda seconds=None: gmtime(self.time() if seconds is None else seconds),
            "localtime": lambda seconds=None: gmtime(self.time() if seconds is None else seconds),
            "mktime": lambda parts: float(calendar.timegm(parts)),
            "strftime": lambda format, t=None: strftime(format, gmtime(self.time()) if t is None else t),
            "asctime": lambda t=None: asctime(gmtime(self.time()) if t is None else t),
            "ctime": lambda seconds=None: asctime(gmtime(self.time() if seconds is None else seconds)),
        }

    def module(self) -> ModuleType:
        """`datetime` with this clock."""
        made = ModuleType("datetime", datetime.__doc__)
        vars(made).update({**vars(datetime), "datetime": self._datetime()})
        return made

    def _datetime(self) -> type[datetime.datetime]:
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

        DateTime.__name__ = DateTime.__qualname__ = "datetime"
        DateTime.__module__ = "datetime"
        call_in_errors(DateTime, "datetime.datetime")
        return DateTime


class World:
    """What a program has: `builtins`, the functions of which are its own, and what it wants done when it `end`s."""

    def __init__(self) -> None:
        self.clock, self.identities, self.system = Clock(), Identities(), random.Random()
        self.waiting = Waiting(self.clock.elapsed, self.clock.advance)
        self.clock.wait = self.waiting.wait
        self.builtins = ModuleType("builtins", builtins.__doc__)
        self.files: Any = None
        self._last: list[tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]] = []

    def fill(self) -> None:
        """Python's own functions are as a program is to find them."""
        replaced = {"datetime": self.clock.module(), "builtins": self.builtins}
        own: dict[str, Callable[..., Any]] = {
            "id": lambda *given: self.identities.identity(_only("id", given)),
            "input": _input,
            "__import__": _importing(replaced, self.waiting),
        }
        vars(self.builtins).update({**vars(builtins), **{name: named(name, each) for name, each in own.items()}})

    def begin(self, code: str, limits: Limits, seed: int | None) -> None:
        """A program is about to run; `seed` None draws from the system's randomness."""
        state.identify = self.identities.identify
        self.clock.begin(limits)
        hashes.numbering(self.identities)
        self.system.seed(_entropy(32) if seed is None else f"system {seed}")
        random.seed(seed)
        np.random.seed(None if seed is None else seed & 0xFFFFFFFF)
        if "__file__" in code:
            self.files.create_file(PROGRAM, contents=code, encoding="utf-8")

    def key_of_copies(self, value: Any) -> int:
        """What `copy` keys its memo by: what a `__deepcopy__` of the program is told of its object. Lists and their
        like, which identities would keep alive, are known by their addresses."""
        return self.identities.identity(value) if type(value).__weakrefoffset__ else id(value)

    def at_exit(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        self._last.append((func, args, kwargs))
        return func

    def not_at_exit(self, func: Callable[..., Any], /) -> None:
        self._last = [each for each in self._last if each[0] != func]

    def end(self) -> None:
        """Do what the program left for its end, the last first."""
        self.waiting.end()
        while self._last:
            func, args, kwargs = self._last.pop()
            try:
                func(*args, **kwargs)
            except Exception:
                traceback.print_exc()


@contextmanager
def world(outside: Iterable[ModuleType] = ()) -> Iterator[World]:
    """What runs in this block sees a world of its own, but for the files that the code of modules `outside` does.

    Gives what a program has in place of Python's own, and nothing else in the process.
    """
    made = World()
    with ExitStack() as undone:
        for owner, name, value in _replacements(made):
            undone.callback(_restore, owner, name, vars(owner).get(name, _MISSING))
            setattr(owner, name, value)
        undone.callback(forget_loops)
        made.files = undone.enter_context(files(outside))
        undone.callback(np.random.set_state, np.random.get_state())
        undone.callback(random.setstate, random.getstate())
        undone.callback(setattr, state, "identify", state.identify)
        hashes.numbering(made.identities)
        try:
            made.fill()
            yield made
        finally:
            made.identities.over = True
            hashes.numbering(None)


def _replacements(made: World) -> Iterator[tuple[Any, str, Any]]:
    for name, function in made.clock.functions().items():
        yield time, name, named(name, function)
    yield os, "urandom", made.system.randbytes
    yield random, "_urandom", made.system.randbytes
    yield random.Random, "seed", _seeding(made.system)
    yield random, "seed", random._inst.seed
    yield tempfile, "_name_sequence", _numbered_names()
    yield from machine.replacements(made.clock.elapsed, made.system)
    yield copyreg, "_slotnames", _slotnames
    yield copy, "id", made.key_of_copies  # a global name of the module that hides the built-in one
    yield os, "umask", lambda mask, /: 0o022
    for name in ("_walk_tb_with_full_positions", "walk_tb", "walk_stack"):
        yield traceback, name, _of_the_program(getattr(traceback, name))
    yield from made.waiting.replaced()
    yield atexit, "register", made.at_exit
    yield atexit, "unregister", made.not_at_exit
    yield weakref.finalize, "_registered_with_atexit", False
    for name in ("fork", "forkpty", "posix_spawn", "posix_spawnp", "execv", "execve"):
        yield os, name, _no_process
    yield os, "system", _system
    yield subprocess, "_fork_exec", _no_process
    yield sys, "argv", ["program.py"]


def _importing(replaced: dict[str, ModuleType], waiting: Waiting) -> Callable[..., Any]:
    """`import` for programs: libraries that inherit from a class, in C at that, need the real one."""
    prepared = "asyncio" in sys.modules
    if prepared:
        prepare_loops(waiting)

    def import_(name: str, *where: Any, **also: Any) -> Any:
        nonlocal prepared
        found = replaced.get(name) or builtins.__import__(name, *where, **also)
        if not prepared and "asyncio" in sys.modules:
            prepared = True
            prepare_loops(waiting)
        return found

    return import_


def _restore(owner: Any, name: str, value: Any) -> None:
    if value is _MISSING:
        delattr(owner, name)
    else:
        setattr(owner, name, value)


_slots_of = copyreg._slotnames  # type: ignore[attr-defined]


def _slotnames(cls: type) -> list[str]:
    """The slots of a class of which a copy is made. Python notes them in the class, which others use, too."""
    found: list[str] = _slots_of(cls)
    if "__slotnames__" in vars(cls):
        type.__delattr__(cls, "__slotnames__")
    return found


def _system(command: Any) -> int:
    state.notice("os.system starts no commands here: the line does nothing.")
    return 127 << 8  # what a shell says that finds no such command


def _listdir(self: FakeOsModule, path: Any = ".") -> list[Any]:
    """`os.listdir`; pyfakefs leaves its default out."""
    return list(self.filesystem.listdir(path))


FakeOsModule.listdir = _listdir  # type: ignore[method-assign]
_open_file = FakeFileWrapper.__init__


def _open_unbuffered(self: FakeFileWrapper, *args: Any, **kwargs: Any) -> None:
    """What a program does not close, Python writes when the program lets go of it, and pyfakefs never."""
    _open_file(self, *args, **kwargs)
    self._buffer_size = 0


def _naming(method: Callable[..., Any]) -> Callable[..., Any]:
    """The same, whose errors name files as they were asked for; pyfakefs names them from the root."""

    @wraps(method)
    def called(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        except OSError as error:
            names = [os.fspath(each) for each in args[:2] if isinstance(each, str | bytes | os.PathLike)]
            if error.filename is not None and names:
                error.filename = names[0]
                if method.__name__ in _OF_TWO and len(names) > 1:
                    error.filename2 = names[1]
            raise

    return called


_OF_TWO = ("link", "rename", "replace", "symlink")
_OF_ONE = "chdir chmod listdir lstat makedirs mkdir open readlink remove rmdir scandir stat unlink".split()
for _name in (*_OF_TWO, *_OF_ONE):
    setattr(FakeOsModule, _name, _naming(getattr(FakeOsModule, _name)))
FakePathModule.getsize = _naming(FakePathModule.getsize)  # type: ignore[method-assign]


@_naming
def _open(self: FakeIoModule, *args: Any, **kwargs: Any) -> Any:
    """`open` in Python's words, which is a method here."""
    if not args and "file" not in kwargs:
        raise TypeError("open() missing required argument 'file' (pos 1)")
    return _open_by_name(self, *args, **kwargs)


_open_by_name = FakeIoModule.open
FakeIoModule.open = _open  # type: ignore[method-assign]


def _open_code(self: FakeIoModule, path: str) -> Any:
    """The code of a file of the program's; for an import, else, that of a module of Python's or of a library. From
    Python 3.12 on the real function takes `open` from the module `_io`, where it would find pyfakefs' own."""
    imported = sys._getframe(1).f_code.co_filename.startswith("<frozen importlib.")
    if self.filesystem.exists(path) or not imported:
        return self.open(path, "rb")
    return io.BufferedReader(io.FileIO(path))


FakeIoModule.open_code = _open_code  # type: ignore[method-assign]
FakePipeWrapper.closed = property(lambda self: self not in self._filesystem().open_files[self.filedes])  # type: ignore[attr-defined]
_number_of_file = FakeFileWrapper.fileno


def _fileno(self: FakeFileWrapper) -> int:
    """Python's functions here understand the number. What is compiled would write to this process's file of it."""
    if sys._getframe(1).f_globals.get("__name__", "").startswith("PIL."):
        raise io.UnsupportedOperation("fileno")
    return _number_of_file(self)


FakeFileWrapper.__init__ = _open_unbuffered  # type: ignore[method-assign]
FakeFileWrapper.fileno = _fileno  # type: ignore[method-assign]
vars(fake_file)["open"] = builtins.open  # for pipes, which pyfakefs would open by itself for ever
# pyfakefs asks the stack who opens a file; from Python 3.12 on that reads their source, and opens it, for ever.
vars(fake_open)["is_called_from_skipped_module"] = lambda *asked, **told: False
# numpy keeps the function that opens files: it is to be that of the moment.
vars(_datasource)["_file_openers"]._file_openers[None] = lambda *args, **options: builtins.open(*args, **options)


@contextmanager
def files(outside: Iterable[ModuleType] = ()) -> Iterator[FakeFilesystem]:
    """Files and folders lie in memory in this block, and there are none but those that the program makes; the code of
    modules `outside` sees those of the machine."""
    kept = [(vars(module), {"open": open, **vars(module)}) for module in outside]
    with Patcher(allow_root_user=False, use_known_patches=False) as patched:  # they import pandas, which needs none
        assert patched.fs is not None
        for names, before in kept:
            names.update(before)
        patched.fs.create_dir(HOME)
        patched.fs.cwd = HOME
        with importable(patched.fs):
            yield patched.fs


def _no_process(*args: Any) -> NoReturn:
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


def _numbered_names() -> Iterator[str]:
    """What `tempfile` calls its files."""
    number = 0
    while True:
        yield f"{number:08}"
        number += 1


def _seeding(system: random.Random) -> Callable[..., None]:
    seed_with = random.Random.seed

    def seed(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed_with(self, system.getrandbits(256) if a is None else a, version)

    return seed


def _of_the_program(walk: Callable[[Any], Iterator[tuple[FrameType, Any]]]) -> Callable[[Any], Iterator[Any]]:
    outward = walk.__name__ == "walk_stack"

    def walk_its_own(start: Any) -> Iterator[Any]:
        """The frames that are the program's, and its libraries'."""
        found = list(walk(sys._getframe(1) if outward and start is None else start))
        frames = [frame for frame, _ in found]
        if outward:  # to the program's outermost
            own = [number for number, frame in enumerate(frames) if frame.f_code.co_filename is FILE]
            found = found[: own[-1] + 1] if own else []
            frames = frames[: len(found)]
        within = [None, *frames][:-1] if outward else [*frames, None][1:]
        for (frame, place), called in zip(found, within, strict=True):
            if not _of_the_engine(frame) and not delegates(called):
                yield frame, place

    return walk_its_own


def _of_the_engine(frame: FrameType) -> bool:
    """Whether this is the engine's code, or code that it made, which knows no module or one of the engine's."""
    if frame.f_code.co_filename.startswith(ENGINE):
        return True
    name = frame.f_globals.get("__name__")
    made = name is None and frame.f_builtins is vars(builtins)
    return made or type(name) is str and name.startswith("engine.")


def _seconds(seconds: Any) -> float:
    """What `time.sleep` is given."""
    if not hasattr(type(seconds), "__float__") and not hasattr(type(seconds), "__index__"):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    return float(seconds)


def _only(name: str, given: tuple[Any, ...]) -> Any:
    if len(given) != 1:
        raise TypeError(f"{name}() takes exactly one argument ({len(given)} given)")
    return given[0]


def _input(*prompt: object) -> str:
    if len(prompt) > 1:
        raise TypeError(f"input expected at most 1 argument, got {len(prompt)}")
    sys.stdout.write("".join(map(str, prompt)))
    raise EOFError("input() cannot ask anybody here: put the value into the program")
