"""Instance normalisation layers."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.batchnorm import _NormBase
from engine.nn.layers import of_ranks


class _InstanceNorm(_NormBase):
    _rank = 0

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype, bias, device)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        unbatched = self._get_no_batch_dim()
        channels = input.shape[-unbatched]
        if channels != self.num_features:
            if self.affine:
                raise errors.instance_norm_features(-unbatched + input.ndim, self.num_features, channels)
            errors.warn_instance_norm_features(-unbatched + input.ndim, self.num_features, channels)
        if input.ndim == unbatched:
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)

    def _check_input_dim(self, input: Tensor) -> None:
        unbatched = self._rank + 1
        if input.dim() not in (unbatched, unbatched + 1):
            raise errors.norm_dimensions(f"{unbatched}D or {unbatched + 1}D", input.ndim)

    def _get_no_batch_dim(self) -> int:
        return self._rank + 1

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        return F.instance_norm(
            input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )


InstanceNorm1d, InstanceNorm2d, InstanceNorm3d = of_ranks(
    _InstanceNorm, "Normalises each channel of each sample of {batch} or {sample}."
)
