"""`torch.distributed` as one process alone has it: there is no group, and none can be started."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NoReturn

from engine import errors


class ReduceOp:
    """How processes would combine what they have."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = range(9)


class ProcessGroup:
    """A group of processes, of which there is none."""


ReduceOp.__module__ = ProcessGroup.__module__ = "torch.distributed.distributed_c10d"


class group:
    """The group of all processes."""

    WORLD: ProcessGroup | None = None


def is_available() -> bool:
    """Whether PyTorch was built with it."""
    return True


def is_initialized() -> bool:
    """Whether there is a group."""
    return False


def is_gloo_available() -> bool:
    """Whether groups of CPUs could be."""
    return True


def is_nccl_available() -> bool:
    """Whether groups of GPUs could be."""
    return False


is_mpi_available = is_ucc_available = is_xccl_available = is_torchelastic_launched = is_nccl_available


def init_process_group(
    backend: Any = None, init_method: Any = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    *args: Any, **options: Any,
) -> None:  # fmt: skip
    """Say that no group is started here, once all is given that one would need."""
    asked = (("RANK", rank >= 0), ("WORLD_SIZE", world_size >= 0), ("MASTER_ADDR", False), ("MASTER_PORT", False))
    if init_method in (None, "env://"):
        for name, given in asked:
            if not given and not os.environ.get(name):
                raise errors.rendezvous_without(name)
    raise NotImplementedError("torch.distributed starts no group here: this is one process, alone")


def destroy_process_group(group: Any = None) -> None:
    """End a group, of which there is none."""
    raise AssertionError("Process group cannot be None")


def _alone(name: str) -> Callable[..., NoReturn]:
    def alone(*args: Any, **kwargs: Any) -> NoReturn:
        raise errors.no_process_group()

    alone.__name__ = alone.__qualname__ = name
    return alone


for _name in (
    "all_gather all_gather_into_tensor all_gather_object all_reduce all_to_all barrier broadcast broadcast_object_list"
    " gather get_backend get_rank get_world_size irecv isend new_group recv reduce reduce_scatter scatter send"
).split():
    globals()[_name] = _alone(_name)
