"""The jobs of a worker where Python itself runs the programs: the process is their only wall."""

from __future__ import annotations

from typing import Any

from app.workers import jobs
from app.workers.jobs import handle, warm
from engine.program import imports

jobs.in_python = True
LIBRARIES = (*jobs.LIBRARIES, "pyfakefs")
WITH_LIBRARIES = (*imports.EXTRA, "scipy", "joblib", "threadpoolctl", "dateutil")
"""Packages of which a program that imports a library may import something late."""


def describe() -> dict[str, Any]:
    """The same, and which libraries are installed."""
    described, found = jobs.describe(), imports.installed()
    names = sorted({*found, "scipy"}) if found else []
    return {**described, "libraries": names, "machine": [*described["machine"], *sorted(found.items())]}


def load_libraries() -> tuple[str, ...]:
    """Import what is installed of the libraries that programs import."""
    imports.preload()
    return WITH_LIBRARIES


__all__ = ["LIBRARIES", "describe", "handle", "load_libraries", "warm"]
