"""`python -m app.workers` forks workers for services in other containers; see docs/scale.md."""

from __future__ import annotations

import os
import sys

from app.config import JOBS, MEGABYTE, Settings, available_cores, settings_or_exit, variable
from app.slots import memory_limit
from app.workers.environment import environment


def command(settings: Settings, jobs: str) -> list[str]:
    """What this process becomes."""
    numbers = (settings.memory_mb * MEGABYTE, settings.cpu_seconds), (available_cores(), memory_limit() or 0)
    limits, machine = ([str(number) for number in pair] for pair in numbers)
    module = [sys.executable, "-m", "app.workers.host"]
    return [*module, settings.workers_socket, jobs, *limits, settings.isolation, *machine]


def main(jobs: str = JOBS) -> None:
    """Become the host, which has nothing of this environment but what a fork server needs."""
    settings = settings_or_exit()
    if not settings.workers_socket:
        sys.exit(f"{variable('workers_socket')} names the socket where services find this process, and is not set")
    os.execve(sys.executable, command(settings, jobs), environment())


if __name__ == "__main__":
    main()
