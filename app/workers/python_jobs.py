"""The jobs of a worker where Python itself runs the programs: the process is their only wall."""

from __future__ import annotations

from typing import Any

from app.workers import jobs
from app.workers.jobs import handle, warm
from engine.program import figures

jobs.in_python = True
LIBRARIES = (*jobs.LIBRARIES, "pyfakefs", "matplotlib", "mpl_toolkits")


def describe() -> dict[str, Any]:
    """The same, with matplotlib loaded where there is one."""
    figures.preload()
    return jobs.describe()


__all__ = ["LIBRARIES", "describe", "handle", "warm"]
