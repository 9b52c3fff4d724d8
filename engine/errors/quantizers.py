"""What quantizers say of their scales, zero points and ends."""

from __future__ import annotations


def quantizer_ends() -> RuntimeError:
    return RuntimeError("`quant_min` should be less than or         equal to `quant_max`.")


def quantizer_zero() -> RuntimeError:
    return RuntimeError("`zero_point` must be between `quant_min` and `quant_max`.")


def quantizer_axis() -> RuntimeError:
    return RuntimeError("`axis` must be between 0 and number of dimensions of input")


def quantizer_dtype(wanted: str, type_name: str) -> RuntimeError:
    return RuntimeError(f"{wanted}, found {type_name}")


def quantizer_vector(name: str) -> RuntimeError:
    return RuntimeError(f"{name} should be a 1-D tensor")


def quantizer_lengths() -> RuntimeError:
    return RuntimeError("scale and zero-point need to have the same dimensions")


def quantizer_channels() -> RuntimeError:
    return RuntimeError("dimensions of scale and zero-point are not consistent with input tensor")
