"""The jobs of the attack behind the filter alone."""

from app.workers import kernel
from tests.attack.native.jobs import LIBRARIES, describe, handle, warm

__all__ = ["LIBRARIES", "describe", "handle", "warm"]

kernel.landlock_version = lambda: 0
