"""Programs that ask for memory: none of their processes may have more than a program's process may.

    python -m tests.attack.memory [--size 0.2] [--only REGEX] [--list]

Each program runs as in a worker: forked from a process that has warmed up, behind the limit of memory that workers
have. What is judged is what the kernel says of the process when it has ended.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple, NoReturn

from app.config import MEGABYTE, Settings
from app.workers.wire import Frame
from tests.attack.hungry import programs
from tests.attack.report import Result, timed

CPU_SECONDS = 60
SECONDS = 300
"""In which a program has used its processor time, on a busy machine too."""


class Measured(NamedTuple):
    """The most memory that a program's process had, in MiB, its processor seconds, its status, how the run ended."""

    name: str
    peak: float
    seconds: float
    status: int
    ended: str

    def __str__(self) -> str:
        return f"{self.peak:6.0f} MB {self.seconds:5.1f} s  {self.status:3}  {self.ended[:60]:60}  {self.name!r}"


def attack(size: float) -> Result:
    """Run a share of the programs, always the same for one size."""
    memory = Settings().memory_mb
    result = Result("memory", f"no program's process has more than {memory} MB, and each has an answer")
    peaks = [0.0]
    with timed(result):
        for one in measured(chosen(size), memory):
            peaks.append(one.peak)
            answered = one.status == 0 and one.ended.startswith(("document", "run-memory-limit"))
            result.expect(one.peak <= memory and answered, lambda one=one: str(one))
    result.figures["worst MB"] = max(peaks)
    return result


def chosen(size: float) -> dict[str, str]:
    """About `size` of the programs, spread over all of them."""
    most = size * (1 << 32)
    every = programs()
    return {name: every[name] for name in every if int(hashlib.md5(name.encode()).hexdigest()[:8], 16) < most}


def measured(todo: dict[str, str], memory: int) -> Iterator[Measured]:
    """Run programs one after the other, in processes forked from one that has run none."""
    command = [sys.executable, "-m", "tests.attack.memory", "--fork", str(memory)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        for name, code in todo.items():
            process.stdin.write(json.dumps(code) + "\n")
            process.stdin.flush()
            yield Measured(name, *json.loads(process.stdout.readline()))
        process.stdin.close()


def tell(reply: Frame, writing: int) -> NoReturn:
    """Say what the reply of this process is, and end it."""
    told = reply.header.get("problem") or reply.header.get("fault") or f"document, {reply.header['status']}"
    os.write(writing, str(told)[-500:].encode())
    os._exit(0)


def fork_each(lines: Iterable[str], memory: int) -> None:
    """In the child process: run each program in a process of its own, and tell what that took."""
    from app.workers import child, jobs, sharing, wire
    from app.workers.lockdown import WorkerLimits, prepare
    from engine.program import imports

    jobs.describe()
    jobs.warm()
    lock = prepare(WorkerLimits(memory * MEGABYTE, CPU_SECONDS, "basic"))
    fields = {**jobs.WARM_FIELDS, "kind": "run", "values_bytes": 8 * MEGABYTE, "result_bytes": 16 * MEGABYTE}
    for line in lines:
        code = json.loads(line)
        frame = wire.Frame(fields, {"request": json.dumps({"code": code}).encode()})
        reading, writing = os.pipe()
        pid = sharing.fork()
        if not pid:
            imports.preload(imports.wanted(code))  # as those have them that programs of theirs are forked from
            lock.take()
            tell(child.answer(jobs, frame, partial(tell, writing=writing)), writing)
        os.close(writing)
        if not select.select([reading], [], [], SECONDS)[0]:
            os.kill(pid, signal.SIGKILL)
        with os.fdopen(reading, "rb") as pipe:
            ended = pipe.read().decode()
        _, status, usage = os.wait4(pid, 0)
        peak = usage.ru_maxrss / 1024
        print(json.dumps([peak, usage.ru_utime + usage.ru_stime, status, ended]), flush=True)


def main() -> None:
    """Print what each program took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--fork", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fork:
        fork_each(sys.stdin, options.fork)
        return
    memory = Settings().memory_mb
    todo = {name: code for name, code in chosen(options.size).items() if re.search(options.only, name)}
    found = []
    for one in measured(todo, memory):
        found.append(one)
        if options.list or one.peak > memory or not one.ended.startswith("document"):
            print(one, flush=True)
    print(f"{len(found)} programs, {sum(one.peak > memory for one in found)} above {memory} MB; the largest:")
    for one in sorted(found, key=lambda one: -one.peak)[:12]:
        print(one)


if __name__ == "__main__":
    main()
