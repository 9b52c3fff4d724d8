"""`torch.profiler` and `torch.autograd.profiler`: nothing is measured here, and what would be reported says so."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable
from typing import Any

from engine.core.state import state

TELLS = "Nothing is measured here: the profiler's report is empty."


class ProfilerActivity(enum.Enum):
    """What could be measured."""

    CPU, CUDA, XPU, MTIA, HPU, PrivateUse1 = range(6)


class ProfilerAction(enum.Enum):
    """What a profiler does in a step."""

    NONE, WARMUP, RECORD, RECORD_AND_SAVE = range(4)


class EventList(list[Any]):
    """What was measured: nothing."""

    def table(self, *args: Any, **kwargs: Any) -> str:
        """The report."""
        return TELLS

    def total_average(self) -> EventList:
        """The mean of what was measured."""
        return self

    def export_chrome_trace(self, path: str) -> None:
        """Write what was measured to a file: there is nothing to write."""


class profile:
    """Measures what a block does: not here."""

    def __init__(self, *args: Any, on_trace_ready: Callable[[Any], Any] | None = None, **kwargs: Any) -> None:
        self.on_trace_ready, self.step_num = on_trace_ready, 0

    def __enter__(self) -> Any:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to measure."""
        state.notice(TELLS)

    def stop(self) -> None:
        """Measure no more."""
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    def step(self) -> None:
        """Go on to the next step."""
        self.step_num += 1

    def key_averages(self, *args: Any, **kwargs: Any) -> EventList:
        """What was measured, by name."""
        return EventList()

    def events(self) -> EventList:
        """What was measured, one by one."""
        return EventList()

    def export_chrome_trace(self, path: str) -> None:
        """Write what was measured to a file: there is nothing to write."""

    def table(self, *args: Any, **kwargs: Any) -> str:
        """The report."""
        return TELLS

    export_stacks = export_memory_timeline = export_chrome_trace


class record_function:
    """Names a block for the report."""

    def __init__(self, name: str, args: str | None = None) -> None:
        self.name, self.args = name, args

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def named(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs)

        return named


for _cls in (ProfilerActivity, ProfilerAction, profile, record_function):
    _cls.__module__ = "torch.profiler"


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """In which steps a profiler measures."""

    def action(step: int) -> ProfilerAction:
        step -= skip_first
        length = wait + warmup + active
        if step < 0 or repeat and step >= repeat * length:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD

    return action


def tensorboard_trace_handler(
    dir_name: str, worker_name: str | None = None, use_gzip: bool = False
) -> Callable[[Any], None]:
    """What would write the report for TensorBoard."""
    return lambda profiler: None


def supported_activities() -> set[ProfilerActivity]:
    """What can be measured."""
    return set()
