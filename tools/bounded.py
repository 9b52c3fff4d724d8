"""Run a command for so many seconds at most: `python3 tools/bounded.py SECONDS COMMAND …`.

Whatever the command has started, and left behind, ends with it: nothing goes on using the machine, or keeps open what
somebody reads. Exits as the command does; with 124 where time was up, after which it has been killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 10.0
"""Seconds that processes which are killed have to go."""


class TimeIsUp(Exception):
    """The command has not ended."""


def children() -> list[int]:
    """Processes below this one, orphans too: the system gives those to it. Those that have ended are forgotten."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(status.parent.name))
    return found


def kill_children() -> None:
    """Again and again: each that goes leaves its own children here."""
    deadline = time.monotonic() + PATIENCE
    while (left := children()) and time.monotonic() < deadline:
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def ended(process: subprocess.Popen[bytes]) -> int:
    """The exit status of a process. Orphans that end before it are gone at once, as they are elsewhere."""
    while True:
        pid, status = os.wait()
        if pid == process.pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def time_is_up(*_: object) -> None:
    raise TimeIsUp


def main(seconds: str, *command: str) -> int:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    signal.signal(signal.SIGALRM, time_is_up)
    process = subprocess.Popen(command)
    signal.setitimer(signal.ITIMER_REAL, float(seconds))
    try:
        return ended(process)
    except TimeIsUp:
        print(f"Not done in {seconds} s, and ended: {' '.join(command)}", file=sys.stderr, flush=True)
        return 124
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        process.kill()
        kill_children()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
