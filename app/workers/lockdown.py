"""What a worker gives up before it reads its first program.

`prepare` runs once, in the process that workers are forked from: what is inherited is taken there, and the rest is made
ready. `Lock.take` runs in each worker. The order matters: first what needs a file or a new limit, last what forbids
both. Each step names itself in the list that `take` returns, and /readyz shows that list.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from app.workers import kernel

PR_SET_PDEATHSIG = 1
OPEN_FILES = 32
LATER = 48 << 20
"""Bytes that were mapped before a limit is set and are used after: code of libraries, buffers of BLAS."""
RULESET_FILE = OPEN_FILES - 1  # out of the way of a worker's own


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of one worker process: resident memory in bytes, processor seconds for its job.

    `isolation` is `basic` for resource limits alone, `auto` for everything the kernel offers, `strict` to insist on it.
    """

    memory: int
    cpu_seconds: int
    isolation: str


@dataclass(frozen=True)
class Lock:
    """What `prepare` made ready: a Landlock ruleset's file descriptor and a seccomp filter, where there are such."""

    ruleset: int | None = None
    filter: kernel.Filter | None = None

    def take(self) -> list[str]:
        """Put this process behind its limits for good; returns the names of those in force.

        Afterwards no file can be opened, but for those a late import reads; without Landlock not even those, so
        whatever is imported on first use should have been imported before.
        """
        limit(resource.RLIMIT_FSIZE, 0)
        limit(resource.RLIMIT_NPROC, 0)  # no effect for root
        locks = ["rlimits"]
        if self.ruleset is not None:
            if kernel.restrict_self(self.ruleset):
                locks.append("landlock")
            os.close(self.ruleset)
        if self.filter is not None and self.filter.install():
            locks.append("seccomp")
        return locks


def prepare(limits: WorkerLimits) -> Lock:
    """Take what workers inherit and does not hinder the process they are forked from; make ready the rest."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # when memory runs out the kernel should take one of these, never the service
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    if (addresses := addresses_for(limits.memory)) is not None:
        limit(resource.RLIMIT_AS, addresses)
    if limits.isolation == "basic" or not kernel.give_up_privileges():
        return Lock()
    ruleset = kernel.landlock_rules(libraries())
    if ruleset is not None:
        os.dup2(ruleset, RULESET_FILE, inheritable=False)
        os.close(ruleset)
        ruleset = RULESET_FILE
    return Lock(ruleset, kernel.Filter(may_import=ruleset is not None))


def addresses_for(memory: int) -> int | None:
    """Bytes of address space with which this process, and those that are forked from it, keep no more than `memory`
    resident: what it has in memory stays, and whatever is mapped from now on counts. None where that is not known."""
    try:
        mapped, resident, shared, *_ = map(int, Path("/proc/self/statm").read_text().split())
    except (OSError, ValueError):
        return None
    page = resource.getpagesize()
    return mapped * page + max(0, memory - (resident - shared) * page - LATER)


def limit(kind: int, value: int) -> None:
    """Set a resource limit. Some systems cannot limit address space, and a lower hard limit may already be set."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (value, value))


def libraries() -> list[str]:
    """The folders that hold code: Python's, installed packages', the system's, and ours."""
    ours = Path(__file__).resolve().parents[1]
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return [*python, "/lib", "/lib64", "/usr/lib", str(ours), str(ours.parent / "engine")]


def cpu_used() -> float:
    """Processor seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def grant_cpu(seconds: int) -> None:
    """Allow `seconds` more of processor time from now on; SIGXCPU ends the process after them."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(cpu_used()) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the one with pid `parent` ends (Linux; elsewhere its socket closes)."""
    if sys.platform == "linux":
        kernel.process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
