"""The machine that a program seems to run on: always the same one, whatever it runs on."""

from __future__ import annotations

import _random
import os
import platform
import random
import socket
import ssl
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

if sys.platform != "win32":
    import resource

NAME = "backlight"
HOME = "/home/user"
"""The folder that programs begin in."""
PID = 4711
EPOCH = 1_700_000_000.0
"""Seconds since 1970 at which programs begin."""
NODE = 0x0200_5E00_0001
"""For the address of a network card: one that no card has."""
VARIABLES = {"HOME": HOME, "LANG": "C.UTF-8", "LOGNAME": "user", "PATH": "/usr/bin:/bin", "USER": "user"}
_CONSTANT: dict[str, Any] = {
    "cpu_count": 1,
    "getloadavg": (0.0, 0.0, 0.0),
    "getpgid": PID,
    "getpgrp": PID,
    "getpid": PID,
    "getppid": 1,
    "getsid": PID,
    "process_cpu_count": 1,
    "sched_getaffinity": {0},
}
_PAGES = (1 << 29) // 4096
_SYSCONF = {"SC_AVPHYS_PAGES": _PAGES, "SC_PHYS_PAGES": _PAGES, "SC_NPROCESSORS_CONF": 1, "SC_NPROCESSORS_ONLN": 1}
_DISK = (4096, 4096, *[1 << 28] * 3, *[1 << 20] * 3, 0, 255)
_NAMES = platform.system(), NAME, "0", "0", platform.machine()  # asked for now: behind the locks nobody is told
_OF_THE_WALL = frozenset(getattr(time, name, None) for name in ("CLOCK_REALTIME", "CLOCK_TAI"))


def replacements(elapsed: Callable[[], float], system: random.Random) -> Iterator[tuple[Any, str, Any]]:
    """What Python's modules tell of the machine: owner, name, value. `elapsed` is the program's clock, `system` its
    source of randomness."""
    for name, value in _CONSTANT.items():
        if hasattr(os, name):
            yield os, name, named(name, lambda *given, value=value: value)
    yield os, "environ", _environment()
    yield os, "times", named("times", lambda: os.times_result((now := elapsed(), 0.0, 0.0, 0.0, now)))
    if hasattr(os, "getrandom"):
        yield os, "getrandom", named("getrandom", lambda size, flags=0: system.randbytes(size))
    if hasattr(os, "sysconf"):
        told = os.sysconf
        named_here = {name: value for name, value in _SYSCONF.items() if name in os.sysconf_names}
        known = named_here | {os.sysconf_names[name]: value for name, value in named_here.items()}
        yield os, "sysconf", named("sysconf", lambda name, /: known[name] if name in known else told(name))
        yield os, "statvfs", named("statvfs", lambda path: os.statvfs_result(_DISK))
    if hasattr(os, "uname"):
        yield os, "uname", named("uname", lambda: os.uname_result(_NAMES))
    yield platform, "_uname_cache", platform.uname_result(*_NAMES)
    yield platform, "platform", named("platform", lambda *how, **ever: f"{_NAMES[0]}-{_NAMES[4]}")
    yield platform, "processor", named("processor", lambda: "")
    yield platform._Processor, "get", lambda: ""  # type: ignore[attr-defined]
    yield socket, "gethostname", named("gethostname", lambda: NAME)
    if sys.platform != "win32":
        used = resource.struct_rusage
        yield resource, "getrusage", named("getrusage", lambda who, /: used((elapsed(), 0.0, *[0] * 14)))
        limits = resource.getrlimit
        yield resource, "getrlimit", named("getrlimit", lambda which, /: _limits(limits(which), which))
        for name, unit in (("clock_gettime", 1.0), ("clock_gettime_ns", 1e9)):
            yield time, name, named(name, _clock(elapsed, getattr(time, name), unit))
    yield _random, "Random", _drawing_from(system)
    for name in ("RAND_bytes", "RAND_pseudo_bytes"):
        if hasattr(ssl, name):
            yield ssl, name, named(name, lambda n, /: system.randbytes(n))
    yield uuid, "_node", NODE
    yield uuid, "_generate_time_safe", None
    if (native := sys.modules.get("_uuid")) is not None:
        yield native, "generate_time_safe", named("generate_time_safe", lambda: (uuid.uuid1().bytes, -1))
    yield uuid, "_last_timestamp", None
    yield sys, "executable", "/usr/bin/python3"
    for module in (np, *(sys.modules[f"numpy._core.{name}"] for name in ("multiarray", "numeric"))):
        yield module, "empty", named("empty", _zeros(np.zeros, np.empty))
    yield np, "empty_like", named("empty_like", _zeros(np.zeros_like, np.empty_like))


def named(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called so."""
    function.__name__ = function.__qualname__ = name
    return function


def _drawing_from(system: random.Random) -> type[_random.Random]:
    """The generator below `random.Random`, which would ask the machine for its seed."""

    class Random(_random.Random):
        __module__ = "_random"

        def __init__(self, seed: Any = None, /) -> None:
            self.seed(seed)

        def seed(self, n: Any = None, /) -> None:
            super().seed(system.getrandbits(256) if n is None else n)

    Random.__qualname__ = "Random"
    return Random


def _limits(real: tuple[int, int], which: int) -> tuple[int, int]:
    """What a process may have: of memory and of processor time that differs from machine to machine."""
    return (resource.RLIM_INFINITY,) * 2 if which in (resource.RLIMIT_AS, resource.RLIMIT_CPU) else real


def _environment() -> Any:
    real: Any = os.environ
    held = {real.encodekey(name): real.encodevalue(value) for name, value in VARIABLES.items()}
    return type(real)(held, real.encodekey, real.decodekey, real.encodevalue, real.decodevalue)


def _clock(elapsed: Callable[[], float], real: Callable[[int], Any], unit: float) -> Callable[[int], Any]:
    """Clocks by number; those of other processes, which are below zero, are not the program's."""

    def read(clock: int, /) -> Any:
        if clock < 0:
            return real(clock)
        now = (elapsed() + EPOCH * (clock in _OF_THE_WALL)) * unit
        return now if unit == 1.0 else int(now)

    return read


def _zeros(zeros: Callable[..., Any], empty: Callable[..., Any]) -> Callable[..., Any]:
    """Arrays that nobody has filled: what lay in the memory before is nothing of the program's."""

    def make(*given: Any, **options: Any) -> Any:
        try:
            made = zeros(*given, **options)
        except TypeError:
            return empty(*given, **options)  # which says so in its own words
        return empty(*given, **options) if made.dtype.hasobject else made

    return make
