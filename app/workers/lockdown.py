"""What a worker gives up before it reads its first program.

The order matters: first what needs a file or a new limit, last what forbids both. Each step names itself in the list
that `lock` returns, and /readyz shows that list.
"""

from __future__ import annotations

import contextlib
import ctypes
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


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of one worker process: address space in bytes, processor seconds for each job.

    `isolation` is `basic` for resource limits alone, `auto` for everything the kernel offers, `strict` to insist on it.
    """

    memory: int
    cpu_seconds: int
    isolation: str


def lock(limits: WorkerLimits) -> list[str]:
    """Put this process behind its limits for good; returns the names of those in force.

    Afterwards no file can be opened, but for those a late import reads; without Landlock not even those, so whatever is
    imported on first use should have been imported before.
    """
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # when memory runs out the kernel should take a worker, never the service
    for kind, limit in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),  # no effect for root
        (resource.RLIMIT_AS, limits.memory),
    ):
        # Some systems cannot limit address space, and a lower hard limit may already be set.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (limit, limit))
    locks = ["rlimits"]
    if limits.isolation != "basic" and kernel.give_up_privileges():
        has_landlock = kernel.forbid_files_and_network(libraries())
        if has_landlock:
            locks.append("landlock")
        if kernel.allow_computing_only(may_import=has_landlock):
            locks.append("seccomp")
    return locks


def libraries() -> list[str]:
    """The folders that hold code: Python's, installed packages', the system's, and ours."""
    ours = Path(__file__).resolve().parents[1]
    python = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return [*python, "/lib", "/lib64", "/usr/lib", str(ours), str(ours.parent / "engine")]


def grant_cpu(seconds: int) -> None:
    """Allow `seconds` more of processor time from now on; SIGXCPU ends the process after them."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(usage.ru_utime + usage.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the one with pid `parent` ends (Linux; elsewhere its socket closes)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
