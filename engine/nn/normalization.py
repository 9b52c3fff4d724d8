"""Normalisation over the last dimensions and over groups of channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.nn import crossmap, init
from engine.nn import functional as F
from engine.nn.layers import layer
from engine.nn.module import Module
from engine.nn.parameter import Held, register_empty


def _shape(normalized_shape: Any) -> tuple[int, ...]:
    row = isinstance(normalized_shape, Tensor) and normalized_shape.ndim == 1
    if row and normalized_shape._array.dtype.kind == "b":
        raise errors.scalar_not_integral()
    if isinstance(normalized_shape, int | np.integer):
        normalized_shape = (normalized_shape,)
    return tuple(normalized_shape)


class LayerNorm(Module):
    """Normalises over the last dimensions, which have `normalized_shape`."""

    weight, bias = Held(), Held()

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        register_empty(self, "weight", elementwise_affine, self.normalized_shape, dtype=dtype, device=device)
        register_empty(self, "bias", elementwise_affine and bias, self.normalized_shape, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


class RMSNorm(Module):
    """Divides by the root mean square of the last dimensions."""

    weight: Any

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        register_empty(self, "weight", elementwise_affine, self.normalized_shape, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Normalises over groups of channels of (N, C, …)."""

    weight: Any
    bias: Any

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if isinstance(num_channels, str):
            raise errors.string_modulo()
        if num_channels % num_groups:
            raise errors.group_norm_channels(num_channels, num_groups)
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        register_empty(self, "weight", affine, num_channels, dtype=dtype, device=device)
        register_empty(self, "bias", affine and bias, num_channels, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


@layer(
    "size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0",
    "F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)",
    "{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}",
)
class LocalResponseNorm(Module):
    """Divides by a power of the mean square over `size` neighbouring channels."""


class CrossMapLRN2d(Module):
    """`LocalResponseNorm` of (N, C, H, W) as Torch7 computed it."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        normalised: Tensor = crossmap.CrossMapLRN2d.apply(input, self.size, self.alpha, self.beta, self.k)
        return normalised

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
