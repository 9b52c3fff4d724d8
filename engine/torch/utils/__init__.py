"""`torch.utils`."""

from engine.torch.utils import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]
