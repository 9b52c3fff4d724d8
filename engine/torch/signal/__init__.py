"""`torch.signal`."""

from typing import Any

from engine import errors
from engine.torch.signal import windows

__all__ = ["windows"]


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.signal", name)
