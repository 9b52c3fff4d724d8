"""`torch.fake_quantize_per_tensor_affine` and its kin: what a quantized network would compute, in floats."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import wrap_dim


def _ends(quant_min: int, quant_max: int) -> None:
    if quant_min > quant_max:
        raise errors.quantizer_ends()


def _number(x: Any) -> Any:
    if x.numel() != 1:
        raise errors.not_a_scalar(x.numel())
    return x.item()


def _floats(kernel: str, x: Tensor) -> None:
    dtypes.expect(x._array, kernel, dtypes.FLOATING)


@public("torch")
def fake_quantize_per_tensor_affine(input: Tensor, scale: Any, zero_point: Any, quant_min: int, quant_max: int) -> Any:
    """`input` rounded to steps of `scale`, of which `zero_point` is none, between the two ends."""
    check("torch", "fake_quantize_per_tensor_affine", (input, scale, zero_point, quant_min, quant_max), {})
    _ends(quant_min, quant_max)
    by_tensors = isinstance(scale, Tensor) and isinstance(zero_point, Tensor)
    numbers = tuple(_number(x) if isinstance(x, Tensor) else x for x in (scale, zero_point))
    if by_tensors:
        if scale._requires_grad:
            raise errors.not_differentiable_in("_fake_quantize_per_tensor_affine_cachemask_tensor_qparams", "scale")
    elif not quant_min <= numbers[1] <= quant_max:
        raise errors.quantizer_zero()
    _floats("fake_quantize_tensor_cachemask_kernel_type_handling", input)
    if by_tensors:
        return ops._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(
            input, scale, zero_point, quant_min, quant_max
        )[0]
    return ops.fake_quantize_per_tensor_affine_cachemask(input, *numbers, quant_min, quant_max)[0]


@public("torch")
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int, quant_max: int
) -> Any:
    """`fake_quantize_per_tensor_affine` with a scale and a zero point for each index along `axis`."""
    if scale.dtype.type_name not in ("Float", "BFloat16"):
        raise errors.quantizer_dtype("Scale must be Float or BFloat16", scale.dtype.type_name)
    if zero_point.dtype.type_name not in ("Int", "Float", "Half"):
        raise errors.quantizer_dtype("Zero-point must be Int32, Float or Half", zero_point.dtype.type_name)
    for name, given in (("scale", scale), ("zero point", zero_point)):
        if given.ndim != 1:
            raise errors.quantizer_vector(name)
    if scale.numel() != zero_point.numel():
        raise errors.quantizer_lengths()
    if input.ndim == 0:
        raise errors.dim_of_no_dims(axis)
    if scale.numel() != input._array.shape[wrap_dim(axis, input.ndim)]:
        raise errors.quantizer_channels()
    _ends(quant_min, quant_max)
    zeros = zero_point._array
    if zeros.dtype.kind == "i" and not (zeros.min() >= quant_min and zeros.max() <= quant_max):
        raise errors.quantizer_zero()
    if not 0 <= axis <= input.ndim:
        raise errors.quantizer_axis()
    for name, given in (("scale", scale), ("zero_point", zero_point)):
        if given._requires_grad:
            raise errors.not_differentiable_in("fake_quantize_per_channel_affine_cachemask", name)
    _floats("fake_quantize_channel_cachemask_cpu_type_handling", input)
    return ops.fake_quantize_per_channel_affine_cachemask(input, scale, zero_point, axis, quant_min, quant_max)[0]
