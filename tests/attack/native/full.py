"""The jobs of the attack behind every lock that this kernel has."""

from tests.attack.native.jobs import LIBRARIES, describe, handle, leave, prepare, warm

__all__ = ["LIBRARIES", "describe", "handle", "leave", "prepare", "warm"]
