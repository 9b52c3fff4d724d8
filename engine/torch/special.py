"""`torch.special`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine import errors
from engine.codegen.publish import SPECIAL

globals().update(SPECIAL)
__all__ = sorted(SPECIAL)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.special", name)
