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
from dataclasses import dataclass

PR_SET_PDEATHSIG = 1
OPEN_FILES = 32


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of one worker process: address space in bytes, processor seconds for each job."""

    memory: int
    cpu_seconds: int


def lock(limits: WorkerLimits) -> list[str]:
    """Put this process behind its limits for good; returns the names of those in force."""
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
    return ["rlimits"]


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
