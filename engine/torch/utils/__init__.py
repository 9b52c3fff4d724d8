"""`torch.utils`."""

from engine.torch.utils import _pytree, checkpoint, data, hooks

__all__ = ["_pytree", "checkpoint", "data", "hooks"]
