"""Elementwise ops, reductions and losses."""

from __future__ import annotations

from engine.errors.warnings import warn


def size_mismatch(a: int, b: int, dim: int) -> RuntimeError:
    """Two sizes that do not broadcast."""
    return RuntimeError(
        f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
    )


def zero_division() -> RuntimeError:
    """Integer division or remainder by zero."""
    return RuntimeError("ZeroDivisionError")


def negative_integer_power() -> RuntimeError:
    return RuntimeError("Integers to negative integer powers are not allowed.")


def subtract_bools() -> RuntimeError:
    return RuntimeError(
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
        "instead."
    )


def subtract_bool() -> RuntimeError:
    return RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
        "`~` or `logical_not()` operator instead."
    )


def negate_bool() -> RuntimeError:
    return RuntimeError(
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` "
        "or `logical_not()` operator instead."
    )


def rounding_mode(mode: object) -> RuntimeError:
    return RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{mode}'")


def not_differentiable(op: str) -> RuntimeError:
    """Backward through an op that PyTorch has no gradient for."""
    return RuntimeError(f"derivative for aten::{op} is not implemented")


def positive_bool() -> RuntimeError:
    return RuntimeError("The `+` operator, on a bool tensor is not supported.")


def warn_alpha_first(function: str, method: bool) -> None:
    """``x.add(alpha, other)``; ``function`` with its underscore when in place."""
    own = "" if method else "Tensor input, "
    out = "" if method else ", Tensor out = None"
    warn(
        UserWarning,
        f"This overload of {function} is deprecated:\n"
        f"\t{function}({own}Number alpha, Tensor other{', *' + out if out else ''})\n"
        "Consider using one of the following signatures instead:\n"
        f"\t{function}({own}Tensor other, *, Number alpha = 1{out})",
        once="old_overload",
    )


def warn_value_first(function: str) -> None:
    """``x.addcmul_(value, tensor1, tensor2)``."""
    warn(
        UserWarning,
        f"This overload of {function} is deprecated:\n"
        f"\t{function}(Number value, Tensor tensor1, Tensor tensor2)\n"
        "Consider using one of the following signatures instead:\n"
        f"\t{function}(Tensor tensor1, Tensor tensor2, *, Number value = 1)",
        once="old_overload",
    )


def clamp_without_bounds() -> RuntimeError:
    return RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")


def where_condition(type_name: str) -> RuntimeError:
    return RuntimeError(f"where expected condition to be a boolean tensor, but got a tensor with dtype {type_name}")


def polygamma_order() -> RuntimeError:
    return RuntimeError("polygamma(n, x) does not support negative n.")


def mvlgamma_domain() -> RuntimeError:
    return RuntimeError("All elements must be greater than (p-1)/2")


# --- reductions


def mean_dtype(type_name: str, given: bool) -> RuntimeError:
    """`given`: the dtype was asked for, not the input's own."""
    if given:
        return RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: "
            f"{type_name}"
        )
    return RuntimeError(
        f"mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {type_name}"
    )


def spread_dtype(function: str) -> RuntimeError:
    """`function`: std, var, std_mean or var_mean."""
    if function.endswith("mean"):
        return RuntimeError(f"{function} only support floating point and complex dtypes")
    return RuntimeError("std and var only support floating point and complex dtypes")


def reduction_of_nothing(function: str) -> RuntimeError:
    return RuntimeError(
        f"{function}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
        "'dim' argument."
    )


def reduction_of_empty_dim(function: str, dim: int) -> IndexError:
    return IndexError(f"{function}(): Expected reduction dim {dim} to have non-zero size.")


def kth_out_of_range(k: int) -> RuntimeError:
    return RuntimeError("kthvalue(): selected number k out of range for dimension 0")


# --- activations


def gelu_approximate() -> RuntimeError:
    return RuntimeError("approximate argument must be either none or tanh.")


def glu_scalar() -> RuntimeError:
    return RuntimeError("glu does not support 0-dimensional tensors")


def glu_odd(dim: int, extent: int) -> RuntimeError:
    return RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {extent}")


def hardtanh_bounds() -> ValueError:
    return ValueError("min_val cannot be greater than max_val")


def celu_alpha() -> RuntimeError:
    return RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
