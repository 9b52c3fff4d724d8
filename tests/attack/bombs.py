"""Programs that make one small step do much work: every callable, with arguments as large as a program may make them.

    python -m tests.attack.bombs [--size 0.05] [--only REGEX] [--worst 30] [--list] [--fuel 30000]

Every case is one call in an endless loop. It runs with little fuel beyond what its arguments take, and its CPU time
divided by the fuel it used says what a step of it costs: no step may cost more than `ALLOWED` microseconds, which is
what keeps a program of a million steps within ten seconds. A call that costs more than that fuel never begins: `--fuel`
gives more. A case must not reach a host MemoryError either, in an address space of 1 GiB.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import io
import json
import os
import re
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # as workers run: threads that wait for each other count as CPU

from engine.core.state import state  # noqa: E402
from engine.limits import Limits  # noqa: E402
from engine.program import Outcome, execute  # noqa: E402
from engine.trace import Recorder  # noqa: E402
from tests.attack import cases  # noqa: E402
from tests.attack.report import Result, timed  # noqa: E402

ALLOWED = 10.0
"""Microseconds of CPU for a step of fuel."""
FUEL = 30_000
SHARE = 0.005
"""How many of the generated cases an attack of size 1 runs; it runs all that are written by hand."""
NOISE = 0.06
"""CPU seconds below which a case says nothing: what differs from run to run."""
PATIENCE = 2
"""CPU seconds after which a case is ended from outside."""
MEMORY = 1 << 30


@dataclass(frozen=True)
class Measured:
    """What one case did. `error` is the type of its error, `ran` says whether the call succeeded at least once."""

    case: cases.Case
    seconds: float
    fuel: int
    error: str
    ran: bool

    @property
    def cost(self) -> float:
        """Microseconds of CPU for a step."""
        return max(0.0, self.seconds - NOISE) / max(self.fuel, 1) * 1e6

    def __str__(self) -> str:
        made = f"  # {self.case.setup[:90]!r}" if self.case.setup else ""
        figures = f"{self.cost:7.1f} µs/step  {self.seconds:5.2f} s {self.fuel:7,} steps"
        return f"{figures}  {self.error:14} {self.case.call}{made}"


def attack(size: float) -> Result:
    """Run a share of the cases, always the same for one size; each in a loop until its fuel is spent."""
    result = Result("bombs", "no step costs more than 10 µs, no allocation reaches the machine's limit")
    with timed(result):
        todo = [*chosen(list(cases.spoken()), size), *chosen(cases.every(), SHARE * size)]
        found = [_settled(one) for one in measured(todo)]
    for one in found:
        result.expect(one.error not in ("killed", "MemoryError") and one.cost <= ALLOWED, lambda one=one: str(one))
    result.figures["succeeded"] = float(sum(one.ran for one in found))
    result.figures["worst µs/step"] = max((one.cost for one in found), default=0.0)
    return result


def _settled(one: Measured) -> Measured:
    """The cheaper of two measurements where the first is too dear: a busy machine only adds to the time."""
    return one if one.cost <= ALLOWED else min([one, *measured([one.case])], key=lambda each: each.cost)


def chosen(of: list[cases.Case], size: float) -> list[cases.Case]:
    """About `size` of the cases, spread over all of them."""
    if size >= 1:
        return of
    most = size * (1 << 32)
    return [case for case in of if int(hashlib.md5((case.call + case.setup).encode()).hexdigest()[:8], 16) < most]


def measured(todo: list[cases.Case], fuel: int = FUEL) -> Iterator[Measured]:
    """Run the cases one after the other in a child process; a new one goes on where one was killed."""
    _executed("import torch\nprint(torch.ones(2).sum())", Limits())  # what is loaded on first use
    position = 0
    repeated = -1
    while position < len(todo):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _work(todo[position:], writing, fuel)
        os.close(writing)
        buffered, retry = b"", False
        while not retry:
            ready, _, _ = select.select([reading], [], [], 60)
            piece = os.read(reading, 1 << 16) if ready else b""
            if not piece:
                break
            *lines, buffered = (buffered + piece).split(b"\n")
            for line in lines:
                one = Measured(todo[position], *json.loads(line))
                if one.error == "MemoryError" and repeated != position:  # perhaps what earlier cases left behind
                    repeated, retry = position, True
                    break
                yield one
                position += 1
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if position < len(todo) and not retry and repeated != position:
            repeated = position  # perhaps what earlier cases left behind, here, too
        elif position < len(todo) and not retry:
            yield Measured(todo[position], float(PATIENCE), 1, "killed", True)
            position += 1


def _executed(program: str, limits: Limits) -> Outcome:
    """Run a program with its recorder; the document, which has a limit of its own, is not built."""
    from engine.running import _fresh

    recorder = Recorder(limits)
    _fresh(0)
    state.watch(recorder)
    try:
        return execute(program, limits=limits, recorder=recorder, seed=0)
    finally:
        state.watch(None)


def _mapped() -> int:
    """Bytes of addresses that this process has, which a parent with browsers in it leaves much of."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _work(todo: list[cases.Case], writing: int, fuel: int) -> None:
    gc.disable()
    gc.freeze()  # as in a worker: what its parent had is not collected here
    most = MEMORY + _mapped()
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("ignore")
    sys.stderr = io.StringIO()
    setups: dict[str, tuple[float, int]] = {}
    with os.fdopen(writing, "w", buffering=1) as out:
        for case in todo:
            if case.made not in setups:
                seconds, made = _timed(case.made, 100 * FUEL)
                fails = not isinstance(made, Outcome) or made.error is not None
                setups[case.made] = (0.0, 0) if fails else (seconds, made.fuel_used)
            seconds, used = setups[case.made]
            spent, outcome = _timed(case.program, fuel + used)
            if isinstance(outcome, Outcome):
                error = outcome.error.limit or outcome.error.type if outcome.error else ""
                left, ran = max(outcome.fuel_used - used, 0), outcome.stdout.startswith("ran")
            else:
                error, left, ran = type(outcome).__name__, fuel, True
            out.write(json.dumps([max(spent - seconds, 0.0), left, error, ran]) + "\n")
    os._exit(0)


def _timed(program: str, fuel: int) -> tuple[float, Outcome | Exception]:
    """CPU seconds that a program took, and how it ended; it is killed when it takes too many."""
    gc.collect()
    before = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (int(before) + PATIENCE + 1, resource.RLIM_INFINITY))
    ended: Outcome | Exception
    try:
        ended = _executed(program, Limits(fuel=fuel, ops=500, events=2000))
    except Exception as failure:
        ended = failure
    return time.process_time() - before, ended


def main() -> None:
    """Print the dearest cases, and those that failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--worst", type=int, default=30)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--kind", default="")
    parser.add_argument("--fuel", type=int, default=FUEL, help="steps for each call, beyond those for its arguments")
    parser.add_argument("--calls", default="", help="a file of earlier output: only the calls in it")
    options = parser.parse_args()
    every = list(getattr(cases, options.kind)()) if options.kind else cases.every()
    todo = [case for case in chosen(every, options.size) if re.search(options.only, case.call)]
    if options.calls:
        with open(options.calls) as earlier:
            text = earlier.read()
        todo = [case for case in todo if f" {case.call}\n" in text or f" {case.call}  #" in text]
    started = time.process_time()
    failed, ran, costs = 0, 0, []
    for one in measured(todo, options.fuel):
        ran += one.ran
        costs.append(one)
        bad = one.error in ("killed", "MemoryError") or one.cost > ALLOWED
        failed += bad
        if bad or options.list:
            print(one, flush=True)
    print(f"{len(todo)} cases, {ran} succeeded, {failed} failed, {time.process_time() - started:.0f} s")
    for one in sorted(costs, key=lambda one: -one.cost)[: options.worst]:
        print(one)


if __name__ == "__main__":
    main()
