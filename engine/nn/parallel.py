"""`torch.nn.parallel.DataParallel`: with one device, the module itself."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.nn.module import Module

__all__ = ["DataParallel"]


class DataParallel(Module):
    """Splits batches among GPUs; without any it calls the module, which it holds as `module`."""

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


DataParallel.__module__ = "torch.nn.parallel.data_parallel"


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.nn.parallel", name)
