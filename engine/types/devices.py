"""Devices, layouts and memory formats: names that programs mention; every tensor is dense and on the CPU."""

from __future__ import annotations

import re
from typing import Any

from engine import errors

_DEVICE = re.compile(r"([a-z_]+)(?::(0|[1-9]\d*))?")
TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


class device:
    """A ``torch.device``. Devices other than the CPU exist as objects; tensors live on the CPU only."""

    __module__ = "torch"
    __slots__ = ("type", "index")

    type: str
    index: int | None

    def __init__(self, type: object = None, index: int | None = None) -> None:
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int) and not isinstance(type, bool):
            raise errors.no_accelerator()
        if not isinstance(type, str):
            raise errors.device_argument(type)
        if not type:
            raise errors.device_string_empty()
        match = _DEVICE.fullmatch(type)
        if match is None:
            raise errors.device_string_invalid(type)
        if match[1] not in TYPES:
            raise errors.device_type_unknown(type, TYPES)
        if match[2] is not None and index is not None:
            raise errors.device_index_twice(type)
        if index is not None and not isinstance(index, int):
            raise errors.argument_type("device", "index", 2, "int", index)
        if index is not None and index < 0:
            raise errors.device_index_negative()
        self.type = match[1]
        self.index = int(match[2]) if match[2] is not None else index

    def __repr__(self) -> str:
        if self.index is None:
            return f"device(type='{self.type}')"
        return f"device(type='{self.type}', index={self.index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.type, -1 if self.index is None else self.index))

    def __enter__(self) -> device:
        """Make it the default device, which only the CPU can be. AssertionError for CUDA devices."""
        if self.type != "cpu":
            raise errors.no_device(self.type)
        return self

    def __exit__(self, *exception: object) -> None:
        """The CPU stays the default."""

    def __reduce__(self) -> tuple[Any, ...]:
        return device, (str(self),)


cpu = device("cpu")


_TOKENS = frozenset(
    {"strided", "sparse_coo", "contiguous_format", "preserve_format", "channels_last", "channels_last_3d"}
)


class _Token:
    __slots__ = ("name",)

    def __init__(self, name: object = None, *args: object, **kwargs: object) -> None:
        if not isinstance(name, str) or name not in _TOKENS:
            raise errors.cannot_create(f"torch.{type(self).__name__}")
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class layout(_Token):
    """The layout of a tensor's elements; only ``torch.strided`` exists."""

    __module__ = "torch"
    __slots__ = ()


class memory_format(_Token):
    """Order of a tensor's dimensions in memory."""

    __module__ = "torch"
    __slots__ = ()


strided = layout("strided")
sparse_coo = layout("sparse_coo")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
