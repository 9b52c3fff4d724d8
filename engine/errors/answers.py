"""Ops that answer: comparisons, positions, counts."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name


def dtypes_differ(first: str, second: str) -> RuntimeError:
    """``isclose``, ``allclose``."""
    return RuntimeError(f"{first} did not match {second}")


def negative_tolerance(name: str, value: float) -> RuntimeError:
    """``name``: rtol or atol."""
    return RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")


def heaviside_dtypes() -> RuntimeError:
    return RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


def invert_type() -> TypeError:
    """``~x`` of floats."""
    return TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")


def arg_of_bools(function: str) -> RuntimeError:
    return RuntimeError(f"{function}(): does not support bool input")


def arg_reduce_empty_dim(function: str, dim: int) -> IndexError:
    return IndexError(f"{function}(): Expected reduction dim {dim} to have non-zero size.")


def scalar_dim(function: str, dim: int) -> IndexError:
    return IndexError(f"{function}(): Expected reduction dim -1 or 0 for scalar but got {dim}")


def searchsorted_scalar(ndim: int) -> RuntimeError:
    return RuntimeError(
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got "
        f"boundaries tensor dim({ndim}) and input value's dim(0) numel(1)"
    )


def searchsorted_shapes(boundaries: Sequence[int], values: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries "
        f"tensor and input value tensor must match, but we got boundaries tensor {list(boundaries)} and input value "
        f"tensor {list(values)}"
    )


def bucketize_boundaries(ndim: int) -> RuntimeError:
    return RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({ndim})")


def unravel_index_type(got: str) -> ValueError:
    return ValueError(f"expected 'indices' to be integer dtype, but got torch.{got}")


def bincount_input() -> RuntimeError:
    return RuntimeError("bincount only supports 1-d non-negative integral inputs.")


def bincount_minlength() -> RuntimeError:
    return RuntimeError("minlength should be >= 0")


def bincount_weights() -> RuntimeError:
    return RuntimeError("weights should be 1-d and have the same length as input")


def histc_range(low: float, high: float) -> RuntimeError:
    return RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")


def histc_order() -> RuntimeError:
    return RuntimeError("torch.histc: max must be larger than min")


# --- histograms of several dimensions


def histogram_points() -> RuntimeError:
    return RuntimeError("torch.histogramdd: input tensor should have at least 2 dimensions")


def histogram_bins_length() -> RuntimeError:
    return RuntimeError("histogramdd: The size of bins must be equal to the innermost dimension of the input.")


def histogram_bin_count(bins: int, dimension: int) -> RuntimeError:
    return RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension {dimension}")


def histogram_bin_sequences(size: int, given: int) -> RuntimeError:
    return RuntimeError(
        f"torch.histogramdd: expected {size} sequences of bin edges for a {size}-dimensional histogram but got {given}"
    )


def histogram_bins_dtype(dimension: int, input: str, bins: str) -> RuntimeError:
    return RuntimeError(
        "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype "
        f"{input} and bins for dimension {dimension} with dtype {bins}"
    )


def histogram_bins_dimensions(dimension: int, ndim: int) -> RuntimeError:
    return RuntimeError(
        f"torch.histogramdd: bins tensor should have one dimension, but got {ndim} dimensions in the bins tensor for "
        f"dimension {dimension}"
    )


def histogram_no_bins(dimension: int) -> RuntimeError:
    return RuntimeError(
        "torch.histogramdd: bins tensor should have at least 1 element, but got 0 elements in the bins tensor for "
        f"dimension {dimension}"
    )


def histogram_range_length(size: int, given: int) -> RuntimeError:
    return RuntimeError(
        f"torch.histogramdd: for a {size}-dimensional histogram range should have {2 * size} elements, but got {given}"
    )


def histogram_range(dimension: int, low: float, high: float) -> RuntimeError:
    return RuntimeError(f"torch.histogramdd: dimension {dimension}'s range [{low:g}, {high:g}] is not finite")


def histogram_order(dimension: int, low: float, high: float) -> RuntimeError:
    return RuntimeError(
        f"torch.histogramdd: min should not exceed max, but got min {low:g} max {high:g} for dimension {dimension}"
    )


def histogram_weight_dtype(input: str, weight: str) -> RuntimeError:
    return RuntimeError(
        "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, "
        f"but got input({input}), and weight({weight})"
    )


def histogram_weight_shape(input: tuple[int, ...], weight: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding "
        f"its innermost dimension, but got input with shape {list(input)} and weight with shape {list(weight)}"
    )


# --- one-hot vectors


def one_hot_dtype() -> RuntimeError:
    return RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")


def one_hot_empty() -> RuntimeError:
    return RuntimeError("Can not infer total number of classes from empty tensor.")


def one_hot_negative() -> RuntimeError:
    return RuntimeError("Class values must be non-negative.")


def one_hot_too_few() -> RuntimeError:
    return RuntimeError("Class values must be smaller than num_classes.")


def comparison_arguments(function: str, *got: object) -> TypeError:
    names = ", ".join(type_name(value) for value in got)
    return TypeError(
        f"{function}() received an invalid combination of arguments - got ({names}), but expected one of:\n"
        " * (Tensor input, Tensor other, *, Tensor out = None)\n * (Tensor input, Number other, *, Tensor out = None)\n"
    )


def sparse_expected(function: str, layout: str) -> RuntimeError:
    return RuntimeError(f"{function} expected {layout} tensor layout but got Strided")


def float_power_dtype(got: str, needed: str) -> RuntimeError:
    return RuntimeError(
        f"the base given to float_power_ has dtype {got} but the operation's result requires dtype {needed}"
    )
