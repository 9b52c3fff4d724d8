"""`torch.masked`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine import errors
from engine.codegen.publish import MASKED

globals().update(MASKED)
__all__ = sorted(MASKED)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.masked", name)
