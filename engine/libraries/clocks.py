"""The time of day in pandas, which asks the machine where Python's modules have a clock of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any


def _by_the_clock(module: Any) -> None:
    stamp = module.Timestamp

    def now(cls: Any, tz: Any = None) -> Any:
        at = stamp(time.time_ns() // 1000, unit="us", tz="UTC")
        return at.tz_convert(tz) if tz is not None else at.tz_localize(None)

    stamp.now = stamp.today = classmethod(now)
    stamp.utcnow = classmethod(lambda cls: now(cls, "UTC"))


MENDS: dict[str, Callable[[ModuleType], None]] = {"pandas": _by_the_clock}
