"""`torch.utils.hooks`."""

from engine.core.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
