"""Convolution and pooling."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name

Shape = Sequence[int]


def conv_channels(groups: int, weight: Shape, given: Shape, expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Given groups={groups}, weight of size {list(weight)}, expected input{list(given)} to have {expected} "
        f"channels, but got {got} channels instead"
    )


def conv_transpose_channels(weight: Shape, given: Shape, expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Given transposed=1, weight of size {list(weight)}, expected input{list(given)} to have {expected} "
        f"channels, but got {got} channels instead"
    )


def conv_dimensions(dims: int, function: str, given: Shape) -> RuntimeError:
    """``dims``: spatial ones, 2 for ``conv2d``."""
    return RuntimeError(
        f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {function}, but got input of size: "
        f"{list(given)}"
    )


def conv_kernel_too_large(padded: Shape, kernel: Shape) -> RuntimeError:
    return RuntimeError(
        f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size: "
        f"({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size"
    )


def conv_kernel_empty(kernel: Shape) -> RuntimeError:
    if len(kernel) == 3:
        return RuntimeError(
            f"kernel size should be greater than zero, but got: {' x '.join(map(str, kernel))} (TxHxW)"
        )
    height, width = kernel if len(kernel) == 2 else (1, *kernel)
    return RuntimeError(
        f"kernel size should be greater than zero, but got kernel_height: {height} kernel_width: {width}"
    )


def conv_primitive(transposed: bool) -> RuntimeError:
    kind = "deconvolution" if transposed else "convolution"
    return RuntimeError(
        f"could not create a primitive descriptor for the {kind} forward propagation primitive. Run workload with "
        "environment variable ONEDNN_VERBOSE=all to get additional diagnostic information."
    )


def conv_bias(weight: Shape, expected: int, bias: Shape, transposed: bool) -> RuntimeError:
    given = "Given transposed=1, weight" if transposed else "Given weight"
    return RuntimeError(
        f"{given} of size {list(weight)}, expected bias to be 1-dimensional with {expected} elements, but got "
        f"bias of size {list(bias)} instead"
    )


def conv_stride() -> RuntimeError:
    return RuntimeError("non-positive stride is not supported")


def conv_padding() -> RuntimeError:
    return RuntimeError("negative padding is not supported")


def conv_padding_name(padding: str) -> RuntimeError:
    return RuntimeError(f"Invalid padding string: '{padding}'")


def conv_same_strided() -> RuntimeError:
    return RuntimeError("padding='same' is not supported for strided convolutions")


def conv_groups_few(groups: int, weight: Shape) -> RuntimeError:
    return RuntimeError(
        f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
        f"{list(weight)} instead"
    )


def conv_groups_divide(groups: int, weight: Shape) -> RuntimeError:
    return RuntimeError(
        f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size "
        f"[{list(weight)}] instead"
    )


def conv_groups() -> RuntimeError:
    return RuntimeError("non-positive groups is not supported")


def conv_dilation(dilation: Shape) -> RuntimeError:
    return RuntimeError(f"dilation should be greater than zero, but got {list(dilation)}")


def conv_weight_dimensions(weight: Shape, given: Shape) -> RuntimeError:
    return RuntimeError(
        f"Expected {len(weight)}-dimensional input for {len(weight)}-dimensional weight {list(weight)}, but got "
        f"{len(given)}-dimensional input of size {list(given)} instead"
    )


def conv_weight_few() -> RuntimeError:
    return RuntimeError("weight should have at least three dimensions")


def conv_option_length(name: str, values: Shape, count: int) -> RuntimeError:
    return RuntimeError(
        f"expected {name} to be a single integer value or a list of {count} values to match the convolution "
        f"dimensions, but got {name}={list(values)}"
    )


def conv_complex_weight(given: str, weight: str) -> RuntimeError:
    """Both as PyTorch's dispatcher spells them."""
    return RuntimeError(f"Input type ({given}) and weight type ({weight}) should be the same")


def conv_bias_dtype(given: str, bias: str) -> RuntimeError:
    """Both as C++ spells them."""
    return RuntimeError(f"Input type ({given}) and bias type ({bias}) should be the same")


def conv_arguments(function: str, *arguments: object) -> TypeError:
    got = ", ".join(type_name(argument) for argument in arguments)
    return TypeError(
        f"{function}() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        " * (Tensor input, Tensor weight, Tensor bias = None, tuple of ints stride = 1, tuple of ints padding = 0, "
        "tuple of ints dilation = 1, int groups = 1)\n"
        " * (Tensor input, Tensor weight, Tensor bias = None, tuple of ints stride = 1, str padding = \"valid\", "
        "tuple of ints dilation = 1, int groups = 1)\n"
    )


def output_padding(output: Shape, stride: Shape, dilation: Shape) -> RuntimeError:
    sides = ("depth", "height", "width")[-len(output) :]
    values = [
        f"{name}_{side}: {value}"
        for name, sizes in (("output_padding", output), ("stride", stride), ("dilation", dilation))
        for side, value in zip(sides, sizes, strict=True)
    ]
    return RuntimeError(
        f"output padding must be smaller than either stride or dilation, but got {' '.join(values)}"
    )


def divisible_by_groups(what: str) -> ValueError:
    """``what``: ``in_channels`` or ``out_channels``."""
    return ValueError(f"{what} must be divisible by groups")


def pool_dimensions(rank: int) -> RuntimeError:
    return RuntimeError(f"non-empty {rank + 1}D or {rank + 2}D (batch mode) tensor expected for input")


def pool_stride() -> RuntimeError:
    return RuntimeError("stride should not be zero")


def pool_positive(name: str, letter: str, values: Shape) -> RuntimeError:
    """`letter` is what PyTorch calls the option in front of T, H and W."""
    shown = " ".join(f"{letter}{dim}: {value}" for dim, value in zip("THW"[-len(values) :], values, strict=True))
    return RuntimeError(f"{name} should be greater than zero, but got {shown}")


def pool_input(rank: int, shape: Shape) -> RuntimeError:
    return RuntimeError(
        f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for input, but got:"
        f"{list(shape)}"
    )


def pool_option(function: str, name: str, count: str, given: int, optional: bool) -> RuntimeError:
    if function == "avg_pool1d":
        return RuntimeError(f"avg_pool1d() argument '{name}' should contain one int (got {given})")
    if function == "max_pool1d":
        kinds = "None, an int, list of ints," if optional else "an int, list of ints"
        comma = "," if name == "padding" else ""
        wanted = f"{kinds}{comma} or tuple of ints of size 1"
        return RuntimeError(f"max_pool1d() {name} must be {wanted} but got size {given}")
    if name == "dilation":
        return RuntimeError(f"{function}: dilation must be either a single int, or a tuple of {count} ints")
    either = "" if function == "avg_pool3d" else "either "
    omitted = "be omitted, a single int" if optional else "be a single int"
    return RuntimeError(f"{function}: {name} must {either}{omitted}, or a tuple of {count} ints")


def pool_divisor() -> RuntimeError:
    return RuntimeError("divisor must be not zero")


def pool_too_small(given: Shape, output: Shape) -> RuntimeError:
    """Both as channels, height, width."""
    return RuntimeError(
        f"Given input size: ({'x'.join(map(str, given))}). Calculated output size: "
        f"({'x'.join(map(str, output))}). Output size is too small"
    )


def pool_negative_padding(padding: int) -> RuntimeError:
    return RuntimeError(f"pad must be non-negative, but got pad: {padding}")


def pool_padding(padding: int, kernel: int, dilation: int = 1) -> RuntimeError:
    return RuntimeError(
        f"pad should be at most half of effective kernel size, but got pad={padding}, kernel_size={kernel} and "
        f"dilation={dilation}"
    )


def adaptive_empty(function: str, shape: Shape, dim: int, argument: str = "input") -> RuntimeError:
    return RuntimeError(
        f"{function}(): Expected {argument} to have non-zero size for non-batch dimensions, but {argument} has sizes "
        f"{list(shape)} with dimension {dim} being empty"
    )


def max_pool1d_dimensions(shape: Shape) -> RuntimeError:
    return RuntimeError(
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
        f"{list(shape)}"
    )


def max_pool1d_option(name: str, value: int) -> RuntimeError:
    return RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")


def max_pool1d_negative_padding(padding: int) -> RuntimeError:
    return RuntimeError(f"max_pool1d() padding must be non-negative, but got {padding}")


def max_pool1d_padding(padding: int, kernel: int) -> RuntimeError:
    return RuntimeError(
        f"max_pool1d() padding should be at most half of kernel size, but got padding={padding} and "
        f"kernel_size={kernel}"
    )


def dimension_range(low: int, high: int, ndim: int, function: str) -> RuntimeError:
    return RuntimeError(
        f"Expected {low} to {high} dimensions, but got {ndim}-dimensional tensor for argument #1 'self' (while "
        f"checking arguments for {function})"
    )


def adaptive_count(function: str, rank: int, count: int) -> RuntimeError:
    if rank == 1:
        return RuntimeError(f"{function}() argument 'output_size' should contain one int (got {count})")
    if "max" in function:
        return RuntimeError(f"{function}(): internal error: output_size.size() must be {rank}")
    return RuntimeError(f"{function}: output_size must be {rank}")


def adaptive_size(ndim: int) -> ValueError:
    return ValueError(f"Input dimension should be at least {ndim}")


def adaptive_dimensions(function: str, rank: int, shape: Shape, mark: str) -> RuntimeError:
    return RuntimeError(f"{function}(): Expected {rank + 1}D or {rank + 2}D tensor, but got{mark} {list(shape)}")


def adaptive_negative(function: str, size: Shape) -> RuntimeError:
    values = ", ".join(map(str, size))
    return RuntimeError(
        f"{function}: elements of output_size must be greater than or equal to 0 but received {{{values}}}"
    )


def unpool_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"elements in indices should be type int64 but got: {type_name}")


def unpool_shapes(indices: Shape, given: Shape) -> RuntimeError:
    return RuntimeError(
        f"Expected shape of indices to be same as that of the input tensor ({list(given)}) but got indices tensor with "
        f"shape: {list(indices)}"
    )


def unpool_index(index: int, size: Shape) -> RuntimeError:
    return RuntimeError(f"Found an invalid max index: {index} (output volumes are of size {'x'.join(map(str, size))}")


def unpool_output_size(size: Shape, dim: int, low: int, high: int) -> ValueError:
    return ValueError(f'invalid output_size "{size}" (dim {dim} must be between {low} and {high})')


def max_pool1d_output(size: int) -> RuntimeError:
    return RuntimeError(f"max_pool1d() Invalid computed output size: {size}")


def conv_groups_positive() -> ValueError:
    return ValueError("groups must be a positive integer")


def conv_padding_string(padding: str) -> ValueError:
    return ValueError(f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}")


def conv_same_strided_layer() -> ValueError:
    return ValueError("padding='same' is not supported for strided convolutions")


def conv_padding_mode(mode: object) -> ValueError:
    return ValueError(
        f"padding_mode must be one of {{'zeros', 'reflect', 'replicate', 'circular'}}, but got padding_mode='{mode}'"
    )


def conv_transpose_padding_mode(class_name: str) -> ValueError:
    return ValueError(f'Only "zeros" padding mode is supported for {class_name}')


def conv_transpose_size_length(rank: int, ndim: int, got: int) -> ValueError:
    return ValueError(
        f"ConvTranspose{rank}D: for {ndim}D input, output_size must have {rank} or {ndim} elements (got {got})"
    )


def conv_transpose_size(size: object, low: Shape, high: Shape, given: Shape) -> ValueError:
    return ValueError(
        f"requested an output size of {size}, but valid sizes range from {list(low)} to {list(high)} (for an "
        f"input of torch.Size({list(given)}))"
    )


def conv_tbc_input() -> RuntimeError:
    return RuntimeError("Input must have 3 dims: time, batch, in_channel")


def conv_tbc_weight() -> RuntimeError:
    return RuntimeError("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.")


def conv_tbc_bias() -> RuntimeError:
    return RuntimeError("Bias must be 1-D")


def conv_tbc_channels() -> RuntimeError:
    return RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")


def conv_tbc_bias_size() -> RuntimeError:
    return RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
