"""`torch.fft`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine import errors
from engine.codegen.publish import FFT

globals().update(FFT)
__all__ = sorted(FFT)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.fft", name)
