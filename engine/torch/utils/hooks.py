"""`torch.utils.hooks`."""

from engine.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
