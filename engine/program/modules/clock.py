"""`time` and the timer of `timeit`.

The clock is the work done so far, so runs can be repeated exactly; sleeping takes no time.
"""

from __future__ import annotations

from typing import Any

from engine.program import session as sessions
from engine.program.values import Builtin

_EPOCH = 1_700_000_000.0


def _time() -> float:
    return _EPOCH + sessions.active.seconds()


def _elapsed() -> float:
    return sessions.active.seconds()


def _nanoseconds() -> int:
    return int(_elapsed() * 1e9)


def _sleep(seconds: Any) -> None:
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")


def _strftime(format: str, *args: Any) -> str:
    import time

    return time.strftime(format[:200], time.gmtime(_time()))


def _ctime(*args: Any) -> str:
    import time

    return time.asctime(time.gmtime(_time()))


MODULES: dict[str, dict[str, Any]] = {
    "time": {
        "time": Builtin("time", _time),
        "perf_counter": Builtin("perf_counter", _elapsed),
        "monotonic": Builtin("monotonic", _elapsed),
        "process_time": Builtin("process_time", _elapsed),
        "time_ns": Builtin("time_ns", lambda: int(_time() * 1e9)),
        "perf_counter_ns": Builtin("perf_counter_ns", _nanoseconds),
        "sleep": Builtin("sleep", _sleep),
        "strftime": Builtin("strftime", _strftime),
        "ctime": Builtin("ctime", _ctime),
    },
    "timeit": {"default_timer": Builtin("default_timer", _elapsed)},
}
