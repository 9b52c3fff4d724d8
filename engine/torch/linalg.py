"""`torch.linalg`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine import errors
from engine.codegen.publish import LINALG

globals().update(LINALG)
__all__ = sorted(LINALG)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.linalg", name)
