"""`time`, the timer of `timeit`, and the parts of `datetime` that measure and stamp a run.

The clock is the work done so far, so runs can be repeated exactly; sleeping takes no time.
"""

from __future__ import annotations

import calendar
import time
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, timedelta, timezone
from datetime import time as clock_time
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.calls import CONSTRUCTORS
from engine.program.methods import offer
from engine.program.values import Builtin, Module

_LONGEST = 200
"""Characters of a date, and of what says how it is written."""
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


def _now(tz: Any = None) -> datetime:
    return _from_timestamp(round(_time(), 6), tz)


def _from_timestamp(seconds: Any, tz: Any = None) -> datetime:
    return datetime.fromtimestamp(seconds, UTC if tz is None else tz).replace(tzinfo=tz)


def _timestamp(value: datetime) -> float:
    return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).timestamp()


def _parsed(text: Any, format: Any) -> datetime:
    """Raises TypeError and ValueError as `strptime` does."""
    meter.charge(40)
    for place, given in enumerate((text, format), 1):
        if not isinstance(given, str):
            raise TypeError(f"strptime() argument {place} must be str, not {type(given).__name__}")
        if len(given) > _LONGEST:
            raise ValueError(f"no more than {_LONGEST} characters are read as a date here")
    return datetime.strptime(text, format)


def _stamped(value: date, format: str) -> str:
    return value.strftime(format[:200])


for _kind in (timedelta, date, datetime, clock_time):
    CONSTRUCTORS[_kind] = _kind
offer(
    time.struct_time,
    {},
    "tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst",
    {},
)
_SHARED: dict[str, Any] = {"strftime": _stamped}
_DAYS = "weekday isoweekday ctime timetuple isocalendar toordinal replace"
offer(timezone, {}, "", {})
offer(type(date.min.isocalendar()), {}, "year week weekday", {})
offer(
    clock_time,
    {**_SHARED, "isoformat": clock_time.isoformat, "replace": clock_time.replace},
    "hour minute second microsecond tzinfo",
    {"fromisoformat": clock_time.fromisoformat},
)
offer(timedelta, {"total_seconds": timedelta.total_seconds}, "days seconds microseconds", {})
offer(
    date,
    {**_SHARED, "isoformat": date.isoformat, **{name: getattr(date, name) for name in _DAYS.split()}},
    "year month day",
    {
        "today": lambda: _now().date(), "fromisoformat": date.fromisoformat, "fromordinal": date.fromordinal,
        "fromtimestamp": lambda seconds: _from_timestamp(seconds).date(),
    },
)
offer(
    datetime,
    {
        **_SHARED, "isoformat": datetime.isoformat, "date": datetime.date, "time": datetime.time,
        "timestamp": _timestamp, "utcoffset": datetime.utcoffset,
        **{name: getattr(datetime, name) for name in _DAYS.split()},
    },
    "year month day hour minute second microsecond tzinfo",
    {
        "now": _now, "today": _now, "utcnow": _now, "strptime": _parsed, "fromisoformat": datetime.fromisoformat,
        "combine": datetime.combine, "fromtimestamp": _from_timestamp, "utcfromtimestamp": _from_timestamp,
        "fromordinal": datetime.fromordinal,
    },
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
    "datetime": {
        "datetime": datetime, "date": date, "timedelta": timedelta, "time": clock_time, "UTC": UTC,
        "timezone": Module.of("datetime.timezone", {"utc": UTC}), "MINYEAR": MINYEAR, "MAXYEAR": MAXYEAR,
    },  # fmt: skip
    "timeit": {"default_timer": Builtin("default_timer", _elapsed)},
}
