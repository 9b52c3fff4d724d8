"""`torch.random`: the default generator, its seed and its state."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.kernels.random import default_generator

__all__ = ["default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]

get_rng_state = TORCH["get_rng_state"]
set_rng_state = TORCH["set_rng_state"]
manual_seed = TORCH["manual_seed"]
seed = TORCH["seed"]
initial_seed = TORCH["initial_seed"]


class fork_rng:
    """`with fork_rng():` random numbers drawn inside leave the generator as it was."""

    __module__ = "torch.random"

    def __init__(
        self,
        devices: Any = None,
        enabled: bool = True,
        _caller: str = "fork_rng",
        _devices_kw: str = "devices",
        device_type: str = "cuda",
    ) -> None:
        self.enabled = enabled

    def __enter__(self) -> None:
        self._state = default_generator.state_bytes() if self.enabled else None

    def __exit__(self, *exception: object) -> None:
        if self._state is not None:
            default_generator.restore(self._state)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.random", name)
