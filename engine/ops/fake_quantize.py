"""Training with quantization in view: rounded forward, and straight through backward."""

from __future__ import annotations

from engine.codegen.op import op

_SAYS = "rounding is passed straight through, what was clamped gets no gradient"

op(
    "fake_quantize_per_tensor_affine_cachemask(self, scale, zero_point, quant_min, quant_max)",
    "FakeQuantizePerTensorAffineCachemaskBackward0",
    "fake_quantize_kernel(self, scale, zero_point, quant_min, quant_max)", outputs="output mask!", inplace=False,
    self="g * mask", says=_SAYS,
)
op(
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(self, scale: Tensor, zero_point: Tensor, quant_min,"
    " quant_max)",
    "FakeQuantizePerTensorAffineCachemaskTensorQparamsBackward0",
    "fake_quantize_kernel(self, scale.item(), int(zero_point.item()), quant_min, quant_max)", outputs="output mask!",
    inplace=False, self="g * mask", says=_SAYS,
)
op(
    "fake_quantize_per_channel_affine_cachemask(self, scale: Tensor, zero_point: Tensor, axis, quant_min, quant_max)",
    "FakeQuantizePerChannelAffineCachemaskBackward0",
    "fake_quantize_channels_kernel(self, scale, zero_point, axis, quant_min, quant_max)", outputs="output mask!",
    inplace=False, self="g * mask", says=_SAYS,
)
