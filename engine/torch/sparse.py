"""`torch.sparse`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine import errors
from engine.codegen.publish import SPARSE

globals().update(SPARSE)
__all__ = sorted(SPARSE)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.sparse", name)
