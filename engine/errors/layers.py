"""nn.functional: losses, normalisation, gates, padding."""

from __future__ import annotations

from collections.abc import Sequence

Shape = Sequence[int]


# --- losses


def multi_target() -> RuntimeError:
    return RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def found_dtype(found: str, expected: str) -> RuntimeError:
    return RuntimeError(f"Found dtype {found} but expected {expected}")


def triplet_margin_layer(class_name: str, margin: object) -> ValueError:
    return ValueError(f"{class_name}: expected margin to be greater than 0, got {margin} instead")


def multi_margin_layer_power() -> ValueError:
    return ValueError("only p == 1 and p == 2 supported")


def multi_margin_layer_weight(ndim: int) -> ValueError:
    return ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {ndim}D instead")


def softmax2d_dimensions(ndim: int) -> ValueError:
    return ValueError(f"Softmax2d: expected input to be 3D or 4D, got {ndim}D instead")


def linear_loss_weight(classes: int, shape: Shape) -> RuntimeError:
    return RuntimeError(f"expected weight shape to be {(classes,)}, got {tuple(shape)}")


def linear_loss_smoothing(given: float) -> RuntimeError:
    return RuntimeError(f"expected label_smoothing to be in range [0, 1], got {given}")


# --- normalisation, attention, gates


def bilinear_features(given: int) -> ValueError:
    return ValueError(f"in1_features must be > 0, but got (in1_features={given})")


def instance_norm_features(dim: int, expected: int, got: int) -> ValueError:
    return ValueError(f"expected input's size at dim={dim} to match num_features ({expected}), but got: {got}.")


def layer_norm_shape(normalized: Shape, given: Shape) -> RuntimeError:
    wanted = "".join(f", {extent}" for extent in normalized)
    return RuntimeError(
        f"Given normalized_shape={list(normalized)}, expected input with shape [*{wanted}], but got input of "
        f"size{list(given)}"
    )


def rms_norm_dimensions(least: int, given: int) -> ValueError:
    return ValueError(f"Input tensor must have at least {least} dimensions, but got {given}")


def rms_norm_shape(normalized: Shape, given: Shape) -> RuntimeError:
    wanted = ", ".join(map(str, normalized))
    return RuntimeError(
        f"Given normalized_shape={list(normalized)}, expected input with shape [*{wanted}], but got input of "
        f"size{list(given)}"
    )


def layer_norm_empty() -> RuntimeError:
    return RuntimeError(
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
        "normalized_shape = []"
    )


def layer_norm_parameter(name: str, shape: Shape, normalized: Shape) -> RuntimeError:
    """``name``: ``weight`` or ``bias``."""
    return RuntimeError(
        f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape {list(shape)} and "
        f"normalized_shape = {list(normalized)}"
    )


def batch_norm_running(name: str) -> RuntimeError:
    return RuntimeError(f"{name} must be defined in evaluation mode")


def instance_norm_running() -> RuntimeError:
    return RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")


def instance_norm_single_value(shape: Shape) -> ValueError:
    return ValueError(
        f"Expected more than 1 spatial element when training, got input size torch.Size({list(shape)})"
    )


def vector_capacity() -> RuntimeError:
    """Where PyTorch takes one dimension away from a tensor that has none."""
    return RuntimeError(
        f"SmallVector unable to grow. Requested capacity ({2**64 - 1}) is larger than maximum value for size type "
        f"({2**32 - 1})"
    )


def group_norm_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"Expected at least 2 dimensions for input tensor but received {ndim}")


def group_norm_single_value(shape: Shape) -> ValueError:
    return ValueError(f"Expected more than 1 value per channel when training, got input size {list(shape)}")


def group_norm_groups(groups: int) -> RuntimeError:
    return RuntimeError(f"Expected num groups to be greater than 0, got {groups}")


def group_norm_parameter(name: str, shape: Shape, given: Shape) -> RuntimeError:
    return RuntimeError(
        f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of shape "
        f"{list(shape)} and input of shape {list(given)}"
    )


def local_response_dimensions(ndim: int) -> ValueError:
    # The spaces are PyTorch's.
    return ValueError(
        f"Expected 3D or higher dimensionality                          input (got {ndim} dimensions)"
    )


def feature_dropout_dimensions() -> RuntimeError:
    return RuntimeError("Feature dropout requires at least 2 dimensions in the input")


def dropout1d_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(
        f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that dropout1d exists to provide "
        "channel-wise dropout on inputs with 1 spatial dimension, a channel dimension, and an optional batch dimension "
        "(i.e. 2D or 3D inputs)."
    )


def batch_norm_single_value(shape: Shape) -> ValueError:
    return ValueError(f"Expected more than 1 value per channel when training, got input size torch.Size({list(shape)})")


def circular_dimensions(rank: int, ndim: int) -> ValueError:
    return ValueError(f"expected {rank + 1}D or {rank + 2}D input (got {ndim}D input)")


def batch_norm_eps(eps: float) -> ValueError:
    return ValueError(f"batch_norm eps must be positive during training, but got {eps}")


def batch_norm_scalar() -> IndexError:
    return IndexError("tuple index out of range")


def batch_norm_features(what: str, features: int, expected: int) -> RuntimeError:
    """``what``: ``running_mean``, ``weight`` …"""
    return RuntimeError(f"{what} should contain {features} elements not {expected}")


def norm_dimensions(expected: str, ndim: int) -> ValueError:
    """``expected``: ``2D or 3D``, ``4D``."""
    return ValueError(f"expected {expected} input (got {ndim}D input)")


def group_norm_channels(channels: int, groups: int) -> ValueError:
    return ValueError(f"num_channels ({channels}) must be divisible by num_groups ({groups})")


def group_norm_input(shape: Shape, groups: int) -> RuntimeError:
    return RuntimeError(
        "Expected number of channels in input to be divisible by num_groups, but got input of shape "
        f"{list(shape)} and num_groups={groups}"
    )


# --- padding


def pad_length_many(length: int, ndim: int) -> RuntimeError:
    return RuntimeError(
        "Padding length should be less than or equal to two times the input dimension but got padding length "
        f"{length} and input of dimension {ndim}"
    )


def pad_value(mode: str) -> RuntimeError:
    return RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')


def pad_mode(mode: object) -> NotImplementedError:
    return NotImplementedError(f"Unrecognised padding mode {mode}")


def pad_combination(length: int, ndim: int) -> NotImplementedError:
    return NotImplementedError(
        f"Padding size {length} is not supported for {ndim}D input tensor.\n"
        "Supported combinations for non-constant padding:\n"
        "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
        "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
        "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
    )


def pad_dimensions(rank: int, shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with possibly 0 batch size and other non-zero "
        f"dimensions for input, but got: {list(shape)}"
    )


def pad_too_small(given: Shape, output: Shape) -> RuntimeError:
    """A tensor from which padding takes away more than there is; sizes of its last one or two dimensions."""
    if len(given) == 1:
        return RuntimeError(f"input (W: {given[0]}) is too small. Calculated output W: {output[0]}")
    return RuntimeError(
        f"input (H: {given[0]}, W: {given[1]} ) is too small. Calculated output H: {output[0]} W: {output[1]}"
    )


def pad_reflection(argument: int, padding: Shape, dim: int, given: Shape) -> RuntimeError:
    return RuntimeError(
        f"Argument #{argument}: Padding size should be less than the corresponding input dimension, but got: padding "
        f"({', '.join(map(str, padding))}) at dimension {dim} of input {list(given)}"
    )


def pad_wrapping() -> RuntimeError:
    return RuntimeError("Padding value causes wrapping around more than once.")


def pad_empty_dimension() -> RuntimeError:
    return RuntimeError("Negative padding value is resulting in an empty dimension")


# --- packed sequences


def pack_lengths(given: int, batch: int) -> RuntimeError:
    return RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {given} (batch_size={batch})")


def pack_empty() -> RuntimeError:
    return RuntimeError(
        "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
    )


def pack_order() -> RuntimeError:
    return RuntimeError(
        "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
        "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
        "not need ONNX exportability."
    )


def pack_too_long(length: int, steps: int) -> RuntimeError:
    """A length beyond the end of the input."""
    return RuntimeError(
        f"Expected every length to be at most the input's {steps} steps, but got a sequence of length {length}"
    )


def pack_total_length(total: int, steps: int) -> ValueError:
    return ValueError(
        "Expected total_length to be at least the length of the longest sequence in input, but got "
        f"total_length={total} and max sequence length being {steps}"
    )


def rnn_packed_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"input must have 2 dimensions, got {ndim}")


def crossmap_dimensions(ndim: int) -> ValueError:
    return ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {ndim}D instead.")
