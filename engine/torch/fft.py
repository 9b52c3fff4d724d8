"""`torch.fft`."""

from typing import Any

import engine.composites
import engine.ops  # noqa: F401 - declares the ops
from engine.surface import FFT

globals().update(FFT)
__all__ = sorted(FFT)


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'torch.fft' has no attribute '{name}'")
