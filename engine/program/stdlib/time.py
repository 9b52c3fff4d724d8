"""`time`, the timer of `timeit`, and the parts of `datetime` that measure and stamp a run.

The clock is the work done so far, so runs can be repeated exactly; sleeping takes no time.
"""

from __future__ import annotations

import calendar
import time
from datetime import date, datetime, timedelta
from typing import Any

from engine.program import session as sessions
from engine.program.calls import CONSTRUCTORS
from engine.program.methods import offer
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


def _gmtime(seconds: Any = None) -> time.struct_time:
    return time.gmtime(_time() if seconds is None else seconds)


def _strftime(format: str, t: Any = None) -> str:
    return time.strftime(format[:200], _gmtime() if t is None else t)


def _mktime(t: Any) -> float:
    return float(calendar.timegm(t))


def _ctime(*args: Any) -> str:
    return time.asctime(time.gmtime(_time()))


def _now(*args: Any) -> datetime:
    return datetime(1970, 1, 1) + timedelta(seconds=round(_time(), 6))


def _stamped(value: date, format: str) -> str:
    return value.strftime(format[:200])


for _kind in (timedelta, date, datetime):
    CONSTRUCTORS[_kind] = _kind
offer(
    time.struct_time,
    {},
    "tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst",
    {},
)
_SHARED: dict[str, Any] = {"strftime": _stamped}
offer(timedelta, {"total_seconds": timedelta.total_seconds}, "days seconds microseconds", {})
offer(
    date,
    {**_SHARED, "isoformat": date.isoformat, "weekday": date.weekday},
    "year month day",
    {"today": lambda: _now().date()},
)
offer(
    datetime,
    {
        **_SHARED, "isoformat": datetime.isoformat, "weekday": datetime.weekday, "date": datetime.date,
        "timestamp": lambda value: (value - datetime(1970, 1, 1)).total_seconds(),
    },
    "year month day hour minute second microsecond",
    {"now": _now, "today": _now, "utcnow": _now},
)  # fmt: skip

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
        "localtime": Builtin("localtime", _gmtime),
        "gmtime": Builtin("gmtime", _gmtime),
        "mktime": Builtin("mktime", _mktime),
    },
    "datetime": {"datetime": datetime, "date": date, "timedelta": timedelta},
    "timeit": {"default_timer": Builtin("default_timer", _elapsed)},
}
