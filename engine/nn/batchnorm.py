"""Batch normalisation layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.inherited import written_again
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn import init
from engine.nn.module import Module
from engine.nn.parameter import filled_buffer, register_empty


class _NormBase(Module):
    """Running statistics and the parameters of a normalisation by channel."""

    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any
    _version = 2

    def __init__(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        dtype: Any,
        bias: bool = True,
        device: Any = None,
    ) -> None:
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        register_empty(self, "weight", affine, num_features, dtype=dtype, device=device)
        register_empty(self, "bias", affine and bias, num_features, dtype=dtype, device=device)
        if track_running_stats:
            self.register_buffer("running_mean", filled_buffer(0, num_features, dtype=dtype))
            self.register_buffer("running_var", filled_buffer(1, num_features, dtype=dtype))
            self.register_buffer("num_batches_tracked", Tensor._from_array(np.int64(0)))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Running mean 0, running variance 1, no batch seen."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Weight 1, bias 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_NormBase):
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype, bias, device)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        from_batch = self.training or (self.running_mean is None and self.running_var is None)
        keeps = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if keeps else None,
            self.running_var if keeps else None,
            self.weight,
            self.bias,
            from_batch,
            factor,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Normalises each channel of (N, C) or (N, C, L) over the batch."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in (2, 3):
            raise errors.norm_dimensions("2D or 3D", input.dim())


class BatchNorm2d(_BatchNorm):
    """Normalises each channel of (N, C, H, W) over the batch."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() != 4:
            raise errors.norm_dimensions("4D", input.dim())


class BatchNorm3d(_BatchNorm):
    """Normalises each channel of (N, C, D, H, W) over the batch."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() != 5:
            raise errors.norm_dimensions("5D", input.dim())


@written_again("__init__")
class SyncBatchNorm(_BatchNorm):
    """Batch norm over all processes; with one process it is plain batch norm."""

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() < 2:
            raise errors.norm_dimensions("at least 2D", input.dim())
