"""The jobs of a worker where Python itself runs the programs: the process is their only wall."""

from __future__ import annotations

from app.workers import jobs
from app.workers.jobs import LIBRARIES, describe, handle, warm

jobs.in_python = True

__all__ = ["LIBRARIES", "describe", "handle", "warm"]
