"""The jobs of the attack behind Landlock as its first version was: no ports, no signals."""

from app.workers import kernel
from tests.attack.native.jobs import LIBRARIES, describe, handle, leave, prepare, warm

__all__ = ["LIBRARIES", "describe", "handle", "leave", "prepare", "warm"]

_newest = kernel.landlock_version()
kernel.landlock_version = lambda: min(1, _newest)
