"""`torch.multiprocessing`, which starts no processes here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def spawn(fn: Callable[..., Any], args: Any = (), nprocs: int = 1, join: bool = True, **options: Any) -> None:
    """Run a function in so many processes: in none, or not at all."""
    if nprocs:
        raise NotImplementedError("torch.multiprocessing.spawn starts no processes here: call the function itself")


def cpu_count() -> int:
    """How many processors there are to be used."""
    return 1


def freeze_support() -> None:
    """Prepare a frozen program, which this is not."""


def set_start_method(method: str | None, force: bool = False) -> None:
    """Take note of how processes would start."""


def get_start_method(allow_none: bool = False) -> str:
    """How processes would start."""
    return "fork"


def set_sharing_strategy(new_strategy: str) -> None:
    """Take note of how processes would share tensors."""


def get_sharing_strategy() -> str:
    """How processes would share tensors."""
    return "file_descriptor"


def get_all_sharing_strategies() -> set[str]:
    """All the ways in which they could."""
    return {"file_descriptor", "file_system"}
