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
from engine.program.calls import CONSTRUCTORS, call, callable_value
from engine.program.charges import grow
from engine.program.methods import offer
from engine.program.tables import CLASS_VALUES
from engine.program.values import Builtin

_LONGEST = 200
"""Characters of a date, and of what says how it is written."""
_EPOCH = 1_700_000_000.0


def _time() -> float:
    return _EPOCH + sessions.active.seconds()


def _elapsed() -> float:
    return sessions.active.seconds()


def _nanoseconds() -> int:
    return int(_elapsed() * 1e9)


def _in_zone(value: datetime, tz: Any = None) -> datetime:
    """`astimezone`; times without a zone are those of UTC here."""
    return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).astimezone(UTC if tz is None else tz)


def _sleep(seconds: Any) -> None:
    if not hasattr(type(seconds), "__float__") and not hasattr(type(seconds), "__index__"):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")


def _gmtime(seconds: Any = None) -> time.struct_time:
    return time.gmtime(_time() if seconds is None else seconds)


def _strftime(format: str, t: Any = None) -> str:
    return time.strftime(format[:200], _gmtime() if t is None else t)


def _mktime(t: Any) -> float:
    return float(calendar.timegm(t))


def _ctime(seconds: Any = None) -> str:
    return time.asctime(_gmtime(seconds))


def _now(tz: Any = None) -> datetime:
    return _from_timestamp(round(_time(), 6), tz)


def _from_timestamp(seconds: Any, tz: Any = None) -> datetime:
    return datetime.fromtimestamp(seconds, UTC if tz is None else tz).replace(tzinfo=tz)


def _timestamp(value: datetime) -> float:
    return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).timestamp()


def _parsed(text: Any, format: Any) -> datetime:
    _check_dates(text, format)
    return datetime.strptime(text, format)


def _check_dates(text: Any, format: Any) -> None:
    """Raises TypeError and ValueError as `strptime` does."""
    meter.charge(40)
    for place, given in enumerate((text, format), 1):
        if not isinstance(given, str):
            raise TypeError(f"strptime() argument {place} must be str, not {type(given).__name__}")
        if len(given) > _LONGEST:
            raise ValueError(f"no more than {_LONGEST} characters are read as a date here")


def _stamped(value: date, format: str) -> str:
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    return value.strftime(format[:200])


class Timer:
    """`timeit.Timer`, of a function of the program."""

    __module__ = "timeit"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, stmt: Any = "pass", setup: Any = "pass", timer: Any = None, globals: Any = None) -> None:
        for given in (stmt, setup):
            if not callable_value(given) and given != "pass":
                raise NotImplementedError("a statement in a text is not run here: give timeit a function, or a lambda")
        self._stmt, self._setup = stmt, setup

    def timeit(self, number: int = 1000000) -> float:
        """The time that so many calls take."""
        if self._setup != "pass":
            call(self._setup, (), None)
        before = _elapsed()
        for _ in range(number):
            meter.charge(1)
            if self._stmt != "pass":
                call(self._stmt, (), None)
        return _elapsed() - before

    def repeat(self, repeat: int = 5, number: int = 1000000) -> list[float]:
        """The same, so many times."""
        grow(repeat)
        return [self.timeit(number) for _ in range(repeat)]

    def autorange(self, callback: Any = None) -> tuple[int, float]:
        """How many calls, and the time they take: ten here."""
        return 10, self.timeit(10)


def _timeit(
    stmt: Any = "pass", setup: Any = "pass", timer: Any = None, number: int = 1000000, globals: Any = None
) -> float:
    return Timer(stmt, setup).timeit(number)


def _repeat(
    stmt: Any = "pass", setup: Any = "pass", timer: Any = None, repeat: int = 5, number: int = 1000000,
    globals: Any = None,
) -> list[float]:  # fmt: skip
    return Timer(stmt, setup).repeat(repeat, number)


def _asctime(t: Any = None) -> str:
    return time.asctime(_gmtime() if t is None else t)


def _struct_of_text(string: Any, format: Any = "%a %b %d %H:%M:%S %Y") -> Any:
    _check_dates(string, format)
    return time.strptime(string, format)


for _kind in (timedelta, date, datetime, clock_time, timezone):
    CONSTRUCTORS[_kind] = _kind
for _kind in (timedelta, date, datetime, clock_time):
    CLASS_VALUES |= {(_kind, name): getattr(_kind, name) for name in ("min", "max", "resolution")}
CLASS_VALUES[timezone, "utc"] = UTC
offer(
    time.struct_time,
    {},
    "tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst",
    {},
)
_SHARED: dict[str, Any] = {"strftime": _stamped}
_DAYS = "weekday isoweekday ctime timetuple isocalendar toordinal replace"
offer(timezone, {"utcoffset": timezone.utcoffset, "tzname": timezone.tzname}, "", {})
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
        "timestamp": _timestamp, "utcoffset": datetime.utcoffset, "tzname": datetime.tzname, "dst": datetime.dst,
        "astimezone": _in_zone, "utctimetuple": datetime.utctimetuple, "timetz": datetime.timetz,
        **{name: getattr(datetime, name) for name in _DAYS.split()},
    },
    "year month day hour minute second microsecond tzinfo",
    {
        "now": _now, "today": _now, "utcnow": _now, "strptime": _parsed, "fromisoformat": datetime.fromisoformat,
        "combine": datetime.combine, "fromtimestamp": _from_timestamp, "utcfromtimestamp": _from_timestamp,
        "fromordinal": datetime.fromordinal,
    },
)  # fmt: skip

def _of_a_month(native: Any) -> Any:
    def run(theyear: int, themonth: int, w: int = 0, l: int = 0) -> Any:  # noqa: E741 - Python's names
        meter.charge(10 + max(0, min(w, 100)) + max(0, min(l, 100)))
        if w > 100 or l > 100:
            raise ValueError("w and l are limited to 100 here")
        return native(theyear, themonth, *([w, l] if native is calendar.month else []))

    return run


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
        "asctime": Builtin("asctime", _asctime),
        "strptime": Builtin("strptime", _struct_of_text),
        "thread_time": Builtin("thread_time", _elapsed),
        "monotonic_ns": Builtin("monotonic_ns", _nanoseconds),
        "process_time_ns": Builtin("process_time_ns", _nanoseconds),
        "struct_time": time.struct_time, "timezone": 0, "altzone": 0, "daylight": 0, "tzname": ("UTC", "UTC"),
        "localtime": Builtin("localtime", _gmtime),
        "gmtime": Builtin("gmtime", _gmtime),
        "mktime": Builtin("mktime", _mktime),
    },
    "datetime": {
        "datetime": datetime, "date": date, "timedelta": timedelta, "time": clock_time, "UTC": UTC,
        "timezone": timezone, "MINYEAR": MINYEAR, "MAXYEAR": MAXYEAR,
    },  # fmt: skip
    "timeit": {
        "default_timer": Builtin("default_timer", _elapsed), "Timer": Timer,
        "timeit": Builtin("timeit", _timeit), "repeat": Builtin("repeat", _repeat),
    },
    "calendar": {
        **{name: Builtin(name, getattr(calendar, name)) for name in ("isleap", "leapdays", "monthrange", "weekday")},
        **{name: Builtin(name, _of_a_month(getattr(calendar, name))) for name in ("month", "monthcalendar")},
        **{name: list(getattr(calendar, name)) for name in ("day_name", "day_abbr", "month_name", "month_abbr")},
        "timegm": Builtin("timegm", _mktime),
        **{name.upper(): number for number, name in enumerate(calendar.day_name)},
    },
}
