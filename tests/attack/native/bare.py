"""The jobs of the attack behind the filter alone."""

from app.workers import kernel
from tests.attack.native.jobs import LIBRARIES, describe, handle, leave, prepare, warm

__all__ = ["LIBRARIES", "describe", "handle", "leave", "prepare", "warm"]

kernel.landlock_version = lambda: 0
