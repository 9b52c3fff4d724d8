"""How many programs run at the same time: as many as cores are there for, and memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.config import MEGABYTE, Settings

BESIDE_MB = 256
"""Memory of the service itself and of the process that its workers are forked from, without what its settings bound."""
LIBRARIES_MB = 280
"""Memory of the second process that workers are forked from, which has loaded what programs import."""

FILES = {"": "memory.max", "memory": "memory.limit_in_bytes"}
"""Where a limit stands, by the controllers in a line of /proc/self/cgroup: version 2 names none."""


@dataclass(frozen=True)
class Slots:
    """Programs of one client, and of all of them together, that run at the same time; `why` no more."""

    client: int
    together: int
    why: str


def slots(cores: int, memory: int | None, settings: Settings, libraries: bool = False) -> Slots:
    """What `settings` ask for on so many cores, as far as each program's process fits in `memory` (bytes) beside the
    service, and the `libraries` that it has ready. One always runs."""
    client = settings.workers or cores
    together = client + settings.reserve
    if memory is not None:
        beside = BESIDE_MB + LIBRARIES_MB * libraries + settings.cache_mb + settings.buffer_mb
        room = max(1, (memory // MEGABYTE - beside) // settings.memory_mb)
        if room < together:
            why = f"{memory // MEGABYTE:,} MB of memory hold {room} of {settings.memory_mb:,} MB beside the service"
            return Slots(max(1, min(client, room - 1)), room, why)
    given = "BACKLIGHT_WORKERS" if settings.workers else "cores"
    return Slots(client, together, f"{client} for the {given}, {settings.reserve} in reserve")


def memory_limit(root: Path = Path("/")) -> int | None:
    """Bytes that all processes in this container may have together: the least of what its cgroup (version 2 or 1) and
    those around it are given, and of the machine's memory. None where nothing is known."""
    return min([*_given(root), *_physical()], default=None)


def _given(root: Path) -> Iterator[int]:
    try:
        lines = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        for kind, name in FILES.items():
            if kind not in controllers.split(","):
                continue
            mounted = root / "sys/fs/cgroup" / kind
            inside = mounted / path.lstrip("/")
            # A container may see the path that the machine has for it, and nothing there but its own at the top.
            for folder in [inside, *inside.parents]:
                if folder.is_relative_to(mounted):
                    yield from _number(folder / name)


def _number(file: Path) -> Iterator[int]:
    try:
        yield int(file.read_text())
    except (OSError, ValueError):  # `max`
        pass


def _physical() -> Iterator[int]:
    try:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        pass
