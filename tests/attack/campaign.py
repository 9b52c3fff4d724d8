"""Attacks in processes of their own, as many side by side as there are cores, against one deadline."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from dataclasses import dataclass, field
from datetime import datetime
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from tests.attack.registry import Attack, broken, carry_out
from tests.attack.report import Result

GRACE_SECONDS = 5.0
SMALLEST = 0.01
ORDINARY_SECONDS = 0.2

spawn = multiprocessing.get_context("spawn")


@dataclass
class Running:
    """An attack under way, in a process group of its own."""

    attack: Attack
    size: float
    process: BaseProcess
    answer: Connection
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def stop(self) -> None:
        """End its process and all that it started; the service it attacks first gets time to be stopped by it."""
        for number, seconds in ((signal.SIGTERM, GRACE_SECONDS), (signal.SIGKILL, 1.0)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid or 0, number)
            self.process.join(seconds)


class Campaign:
    """Attacks under way, done and still to do, against one deadline."""

    def __init__(self, attacks: list[Attack], size: float, seconds: float, cores: int) -> None:
        self.todo = sorted(attacks, key=lambda attack: (attack.alone, -attack.seconds))
        self.size = size
        self.cores = cores
        self.deadline = time.monotonic() + seconds
        self.running: list[Running] = []
        self.rows: dict[str, list[Result]] = {}
        self.sizes: dict[str, float] = {}
        self.left_out: list[str] = []
        self.expected, self.taken = ORDINARY_SECONDS, counting_seconds()

    def carry_out(self) -> None:
        """Do all of them, or as many as there is time for."""
        try:
            while self.todo or self.running:
                while self.todo and self._has_room(self.todo[0]):
                    self._start(self.todo.pop(0))
                self._collect()
        except KeyboardInterrupt:
            say("stopped")
        finally:
            for unfinished in self.running:
                unfinished.stop()
            self.left_out += [f"{row.attack.name} (stopped)" for row in self.running]
            self.left_out += [attack.name for attack in self.todo]

    def _has_room(self, attack: Attack) -> bool:
        if attack.alone or any(row.attack.alone for row in self.running):
            return not self.running
        return len(self.running) < self.cores

    def _start(self, attack: Attack) -> None:
        size = min(self.size, self.size * self._fraction(attack))
        if size < SMALLEST * self.size:
            self.left_out.append(f"{attack.name} (no time)")
            return
        ours, theirs = spawn.Pipe(duplex=False)
        process = spawn.Process(target=attack_process, args=(attack.name, size, theirs))
        process.start()
        theirs.close()
        self.running.append(Running(attack, size, process, ours))
        say(f"{attack.name:<14} size {size:.3g}")

    def _fraction(self, attack: Attack) -> float:
        """How much of what is left fits into the time that is left, at the pace seen so far."""
        pace = self.taken / self.expected
        left = [attack, *self.todo]
        alone = sum(row.seconds for row in left if row.alone)
        beside = [row.seconds for row in left if not row.alone]
        needed = (alone + max(sum(beside) / self.cores, max(beside, default=0.0))) * self.size * pace
        return (self.deadline - time.monotonic() - 2 * GRACE_SECONDS) / needed if needed else 1.0

    def _collect(self) -> None:
        """Wait for something to end, or for the deadline."""
        remaining = max(0.0, self.deadline - time.monotonic())
        ended = wait([row.answer for row in self.running], remaining)
        for row in [row for row in self.running if row.answer in ended or not remaining]:
            self.running.remove(row)
            self._finish(row, row.answer in ended)

    def _finish(self, row: Running, ended: bool) -> None:
        name = row.attack.name
        if ended:
            try:
                found = row.answer.recv()
            except EOFError:
                row.process.join(GRACE_SECONDS)
                found = [broken(name, f"its process ended with status {row.process.exitcode}")]
        else:
            found = [broken(name, f"it had not ended after {row.elapsed:.0f} s")]
        elapsed = row.elapsed
        row.stop()
        self.expected += row.attack.seconds * row.size
        self.taken += elapsed
        for result in found:
            result.seconds = result.seconds or elapsed
            result.size = row.size
            say(f"{result.name:<14} {result.tried:,} tried, {result.failed:,} broken, {result.seconds:.0f} s")
        self.rows[name], self.sizes[name] = found, row.size


def counting_seconds() -> float:
    """How long a small computation takes here and now: ORDINARY_SECONDS where the registry's figures were taken."""
    started = time.monotonic()
    sum(number * number for number in range(3_000_000))
    return time.monotonic() - started


def attack_process(name: str, size: float, answer: Connection) -> None:
    """One attack, in a process group of its own: Ctrl-C is for the parent, which then ends this one."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    answer.send(carry_out(name, size))


def say(text: str) -> None:
    print(f"{datetime.now():%H:%M:%S}  {text}", file=sys.stderr, flush=True)
