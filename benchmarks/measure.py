"""How workloads are measured: in turns, by the processor time of this process, on one thread."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import engine.torch as backlight
from engine import memory, settings
from engine.core.state import state
from engine.limits import Limits
from engine.program import execute
from engine.trace import Recorder

Step = Callable[[], Any]

TURN = 0.02
"""Seconds that a step is repeated before it is the next one's turn: the first repetitions find the processor's caches
full of somebody else's code, which is no one's training loop."""


def alternate(steps: dict[str, Step], seconds: float) -> dict[str, float]:
    """The least CPU seconds of each step, run in turns so that a busy machine disturbs all alike."""
    best: dict[str, float] = {}
    failed: set[str] = set()
    repeats: dict[str, int] = {}
    for name, step in steps.items():
        try:
            step()
            start = time.process_time()
            step()
            once = max(time.process_time() - start, 1e-7)
            repeats[name] = max(1, int(TURN / once))
        except (RecursionError, NotImplementedError):
            failed.add(name)
    gc.collect()
    gc.disable()
    try:
        end = time.monotonic() + seconds
        rounds = 0
        while rounds < 5 or time.monotonic() < end:
            rounds += 1
            for name, step in steps.items():
                if name in failed:
                    continue
                count = repeats[name]
                start = time.process_time()
                for _ in range(count):
                    step()
                spent = (time.process_time() - start) / count
                best[name] = min(best.get(name, spent), spent)
            if rounds % 8 == 0:
                gc.collect()
    finally:
        gc.enable()
    return best


def traced(prepare: Callable[[Any], Step]) -> Step:
    """A workload with a recorder attached, a new one each time, that makes its records in the end."""
    step = prepare(backlight)
    limits = Limits(ops=10**9, events=10**9, document_bytes=10**12, total_bytes=10**12)

    def run() -> None:
        recorder = Recorder(limits)
        state.watch(recorder)
        try:
            step()
        finally:
            state.watch(None)
        recorder.flush()

    return run


def program(code: str, watched: bool) -> Step:
    """A program under the limits of the service, with tracing on (to the last record, without the document) or off."""

    def run() -> None:
        limits = Limits()
        recorder = Recorder(limits) if watched else None
        with memory.young(), settings.aside():
            settings.fresh()
            state.watch(recorder)
            try:
                execute(code, limits=limits, recorder=recorder, seed=0)
            finally:
                state.watch(None)
            if recorder is not None:
                recorder.finish()

    return run
