"""`torch.nn.functional`: the functions that ops and composites publish under `nn`."""

from __future__ import annotations

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - importing them publishes the functions
from engine import errors
from engine.codegen.publish import FUNCTIONAL, TORCH

globals().update(FUNCTIONAL)
globals().update({f"_{name}": TORCH[name] for name in ("sigmoid", "tanh")})  # which modules call, too
__all__ = sorted(FUNCTIONAL)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.nn.functional", name)
