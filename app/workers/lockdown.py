"""What a worker gives up before it reads its first program.

`prepare` runs once, in the process that workers are forked from: what is inherited is taken there, and the rest is made
ready. `Lock.take` runs in each worker. The order matters: first what needs a file or a new limit, last what forbids
both. Each step names itself in the list that `take` returns, and /readyz shows that list.
"""

from __future__ import annotations

import contextlib
import os
import platform
import resource
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from resource import getrusage  # the machine's, whatever programs find in its place

from app.workers import kernel
from app.workers.code import Code

PR_SET_PDEATHSIG = 1
OPEN_FILES = 32
LATER = 48 << 20
"""Bytes that were mapped before a limit is set and are used after: code of libraries, buffers of BLAS."""
STACK = 120 << 20
"""Bytes of stack that deep programs may need: behind the filter no process can allow itself more."""
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
    """What `prepare` made ready: a Landlock ruleset's file descriptor and a seccomp filter, where there are such, with
    the code that nobody is to change.

    `addresses` are the bytes of address space that a process may have; `landlock` is the version of Landlock's ABI that
    the ruleset is of.
    """

    addresses: int | None = None
    ruleset: int | None = None
    filter: kernel.Filter | None = None
    code: Code | None = None
    landlock: int = 0

    def take(self) -> list[str]:
        """Put this process behind its limits for good; returns the names of those in force.

        Afterwards no file can be opened at all: whatever an import could need must be in memory.
        """
        limit(resource.RLIMIT_FSIZE, 0)
        limit(resource.RLIMIT_NPROC, 0)  # no effect for root
        if self.addresses is not None:
            limit(resource.RLIMIT_AS, self.addresses)
        locks = ["rlimits"]
        if self.ruleset is not None:
            if kernel.restrict_self(self.ruleset):
                locks.append("landlock")
            os.close(self.ruleset)
        if self.filter is not None and (self.code is None or self.code.seal()) and self.filter.install():
            locks.append("seccomp")
        return locks


def prepare(limits: WorkerLimits) -> Lock:
    """Take what workers inherit and does not hinder the process they are forked from; make ready the rest."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # when memory runs out the kernel should take one of these, never the service
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    stack = STACK if most == resource.RLIM_INFINITY else min(STACK, most)
    resource.setrlimit(resource.RLIMIT_STACK, (stack, most))
    code = Code()
    addresses = addresses_for(limits.memory)
    if limits.isolation == "basic" or not kernel.give_up_privileges():
        return Lock(addresses)
    version = kernel.landlock_version()
    ruleset = kernel.landlock_rules(version)
    if ruleset is None:
        return Lock(addresses, filter=kernel.Filter(), code=code)
    os.dup2(ruleset, RULESET_FILE, inheritable=False)
    os.close(ruleset)
    return Lock(addresses, RULESET_FILE, kernel.Filter(), code, version)


def lacking(locks: Sequence[str]) -> str:
    """What `strict` isolation needs and this system has not, in a sentence; empty where nothing is missing."""
    missing = [name for name in ("landlock", "seccomp") if name not in locks]
    if not missing:
        return ""
    here = f"{platform.system()} {platform.release()} on {platform.machine()}"
    return (
        "strict isolation needs Linux 5.13 or later with Landlock, and seccomp on x86-64 or arm64; "
        f"{here} gives no {' and no '.join(missing)}"
    )


def addresses_for(memory: int) -> int | None:
    """Bytes of address space with which this process, and those that are forked from it, keep no more than `memory`
    resident: what it has in memory stays, and whatever is mapped from now on counts. None where that is not known."""
    sizes = mapped_and_own()
    return None if sizes is None else sizes[0] + max(0, memory - sizes[1] - LATER)


def mapped_and_own() -> tuple[int, int] | None:
    """Bytes that this process has mapped, and how many of them it alone has in memory. None where that is not known."""
    try:
        with open("/proc/self/statm") as file:
            mapped, resident, shared, *_ = map(int, file.read().split())
    except (OSError, ValueError):
        return None
    page = resource.getpagesize()
    return mapped * page, (resident - shared) * page


def limit(kind: int, value: int) -> None:
    """Set a resource limit. Some systems cannot limit address space, and a lower hard limit may already be set."""
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(kind, (value, value))


def cpu_used() -> float:
    """Processor seconds of this process so far."""
    usage = getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def grant_cpu(seconds: int) -> None:
    """Allow `seconds` more of processor time from now on. SIGXCPU ends the process after them, and SIGKILL one that
    does not heed that."""
    soft = int(cpu_used()) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, soft + 1 if hard == resource.RLIM_INFINITY else hard))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the one with pid `parent` ends (Linux; elsewhere its socket closes)."""
    if sys.platform == "linux":
        kernel.process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
