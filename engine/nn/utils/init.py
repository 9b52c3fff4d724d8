"""`torch.nn.utils.skip_init`."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.kernels.random import default_generator
from engine.nn.module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """A module whose parameters are not initialised: no random numbers are drawn for them."""
    if not issubclass(module_cls, Module):
        raise errors.skip_init_class(module_cls)
    kwargs.pop("device", None)
    state = default_generator.state_bytes()
    module = module_cls(*args, **kwargs)
    default_generator.restore(state)
    return module
