"""`torch.nn.attention`: which kernel `scaled_dot_product_attention` uses."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.composites import attention

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend:
    """A kernel for attention. The CPU has MATH, made of ordinary ops, and FLASH_ATTENTION, which is one op."""

    __module__ = "torch.nn.attention"
    __slots__ = ("name", "value")
    ERROR: SDPBackend
    MATH: SDPBackend
    FLASH_ATTENTION: SDPBackend
    EFFICIENT_ATTENTION: SDPBackend
    CUDNN_ATTENTION: SDPBackend
    OVERRIDEABLE: SDPBackend

    def __init__(self, name: str, value: int) -> None:
        self.name, self.value = name, value

    def __repr__(self) -> str:
        return f"<SDPBackend.{self.name}: {self.value}>"

    def __str__(self) -> str:
        return f"SDPBackend.{self.name}"


for _value, _name in enumerate(
    ("ERROR", "MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "OVERRIDEABLE"), -1
):
    setattr(SDPBackend, _name, SDPBackend(_name, _value))


class sdpa_kernel:
    """`with sdpa_kernel(SDPBackend.MATH):` attention uses no other kernel than those given."""

    __module__ = "torch.nn.attention"

    def __init__(self, backends: Any, set_priority: bool = False) -> None:
        given = [backends] if isinstance(backends, SDPBackend) else list(backends)
        if not isinstance(backends, list | SDPBackend) or not all(isinstance(b, SDPBackend) for b in given):
            raise errors.sdpa_backends()
        self._allowed = frozenset(b.name for b in given)

    def __enter__(self) -> None:
        self._before = attention.allowed()
        attention.allow(self._allowed)

    def __exit__(self, *exception: object) -> None:
        attention.allow(self._before)


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.nn.attention", name)
