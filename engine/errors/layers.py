"""nn.functional: losses, convolutions, pooling, normalisation, embeddings, recurrent cells."""

from __future__ import annotations

from collections.abc import Sequence

Shape = Sequence[int]


# --- losses


def reduction_unknown(reduction: object) -> ValueError:
    return ValueError(f"{reduction} is not a valid value for reduction")


def target_out_of_bounds(target: int) -> IndexError:
    return IndexError(f"Target {target} is out of bounds.")


def batch_sizes(inputs: int, targets: int) -> ValueError:
    return ValueError(f"Expected input batch_size ({inputs}) to match target batch_size ({targets}).")


def target_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"expected target dtype to be Long or Byte, but got {type_name}")


def multi_target() -> RuntimeError:
    return RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def single_target(size: int) -> ValueError:
    return ValueError(f"For 1D input, 1D target must have size 1, but got target size: {size}")


def class_weights(classes: int, shape: Shape) -> RuntimeError:
    return RuntimeError(
        f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
        f"shape: {list(shape)}"
    )


def label_smoothing_range(value: float) -> RuntimeError:
    return RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {value:g}")


def bce_range(what: str) -> RuntimeError:
    """``what``: ``input`` or ``target``."""
    return RuntimeError(f"all elements of {what} should be between 0 and 1")


def bce_sizes(target: Shape, given: Shape) -> ValueError:
    return ValueError(
        f"Using a target size (torch.Size({list(target)})) that is different to the input size "
        f"(torch.Size({list(given)})) is deprecated. Please ensure they have the same size."
    )


def bce_logits_sizes(target: Shape, given: Shape) -> ValueError:
    return ValueError(
        f"Target size (torch.Size({list(target)})) must be the same as input size (torch.Size({list(given)}))"
    )


def found_dtype(found: str, expected: str) -> RuntimeError:
    return RuntimeError(f"Found dtype {found} but expected {expected}")


def huber_delta() -> RuntimeError:
    return RuntimeError("huber_loss does not support non-positive values for delta.")


def smooth_l1_beta() -> RuntimeError:
    return RuntimeError("smooth_l1_loss does not support negative values for beta.")


def triplet_margin_layer(class_name: str, margin: object) -> ValueError:
    return ValueError(f"{class_name}: expected margin to be greater than 0, got {margin} instead")


def multi_margin_layer_power() -> ValueError:
    return ValueError("only p == 1 and p == 2 supported")


def multi_margin_layer_weight(ndim: int) -> ValueError:
    return ValueError(f"MultiMarginLoss: expected weight to be None or 1D tensor, got {ndim}D instead")


def softmax2d_dimensions(ndim: int) -> ValueError:
    return ValueError(f"Softmax2d: expected input to be 3D or 4D, got {ndim}D instead")


# --- convolution and pooling


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


def conv_option_length(name: str, values: Shape, count: int) -> RuntimeError:
    return RuntimeError(
        f"expected {name} to be a single integer value or a list of {count} values to match the convolution "
        f"dimensions, but got {name}={list(values)}"
    )


def conv_bias_dtype(given: str, bias: str) -> RuntimeError:
    """Both as C++ spells them."""
    return RuntimeError(f"Input type ({given}) and bias type ({bias}) should be the same")


def conv_arguments(function: str, *arguments: object) -> TypeError:
    got = ", ".join(type(argument).__name__ for argument in arguments)
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


def pool_kernel() -> RuntimeError:
    return RuntimeError("kernel size should be greater than zero")


def pool_stride() -> RuntimeError:
    return RuntimeError("stride should not be zero")


def pool_dilation(dilation: Shape) -> RuntimeError:
    names = ("dilationT", "dilationH", "dilationW")[-len(dilation) :]
    values = " ".join(f"{name}: {value}" for name, value in zip(names, dilation, strict=True))
    return RuntimeError(f"dilation should be greater than zero, but got {values}")


def pool_option(function: str, name: str, count: str, optional: bool) -> RuntimeError:
    omitted = "be omitted, a single int" if optional else "be a single int"
    if optional:
        return RuntimeError(f"{function}: {name} must either {omitted}, or a tuple of {count} ints")
    return RuntimeError(f"{function}: {name} must either {omitted}, or a tuple of {count} ints")


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


def max_pool1d_dimensions(shape: Shape) -> RuntimeError:
    return RuntimeError(
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
        f"{list(shape)}"
    )


def max_pool1d_option(name: str, value: int) -> RuntimeError:
    return RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")


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
    return ValueError(f"invalid output_size {list(size)} (dim {dim} must be between {low} and {high})")


def max_pool1d_output(size: int) -> RuntimeError:
    return RuntimeError(f"max_pool1d() Invalid computed output size: {size}")


def interpolate_size() -> ValueError:
    return ValueError("either size or scale_factor should be defined")


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


def conv_transpose_size(size: Shape, low: Shape, high: Shape, given: Shape) -> ValueError:
    return ValueError(
        f"requested an output size of {list(size)}, but valid sizes range from {list(low)} to {list(high)} (for an "
        f"input of torch.Size({list(given)}))"
    )


# --- normalisation, attention, gates


def instance_norm_features(dim: int, expected: int, got: int) -> ValueError:
    return ValueError(f"expected input's size at dim={dim} to match num_features ({expected}), but got: {got}.")


def layer_norm_shape(normalized: Shape, given: Shape) -> RuntimeError:
    wanted = "".join(f", {extent}" for extent in normalized)
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


def instance_norm_single_value(shape: Shape) -> ValueError:
    return ValueError(
        f"Expected more than 1 spatial element when training, got input size torch.Size({list(shape)})"
    )


def group_norm_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"Expected at least 2 dimensions for input tensor but received {ndim}")


def group_norm_single_value(shape: Shape) -> ValueError:
    return ValueError(f"Expected more than 1 value per channel when training, got input size {list(shape)}")


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


# --- attention


def attention_dimensions(query: int, key: int, value: int) -> RuntimeError:
    return RuntimeError(
        f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query} key.dim: {key} "
        f"and value.dim: {value} instead."
    )


def attention_dtypes(query: str, key: str, value: str) -> RuntimeError:
    """As C++ spells them."""
    return RuntimeError(
        f"Expected query, key, and value to have the same dtype, but got query.dtype: {query} key.dtype: {key} and "
        f"value.dtype: {value} instead."
    )


def attention_mask_causal() -> RuntimeError:
    return RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")


def attention_query(ndim: int) -> AssertionError:
    return AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {ndim}-D query tensor")


def _batched(batched: bool) -> tuple[str, int]:
    return ("batched (3-D)", 3) if batched else ("unbatched (2-D)", 2)


def attention_key_value(batched: bool, key: int, value: int) -> AssertionError:
    query, ndim = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `key` and `value` to be {ndim}-D but found {key}-D and {value}-D tensors "
        "respectively"
    )


def attention_padding(batched: bool, ndim: int) -> AssertionError:
    query, expected = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `key_padding_mask` to be `None` or {expected - 1}-D but found {ndim}-D tensor "
        "instead"
    )


def attention_mask(batched: bool, ndim: int) -> AssertionError:
    query, _ = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {ndim}-D tensor instead"
    )


def attention_mask_shape(expected: Shape, got: Shape) -> AssertionError:
    return AssertionError(f"Expected `attn_mask` shape to be {tuple(expected)} but got torch.Size({list(got)})")


def attention_mask_size(ndim: int, got: Shape, expected: Shape) -> RuntimeError:
    return RuntimeError(
        f"The shape of the {ndim}D attn_mask is torch.Size({list(got)}), but should be {tuple(expected)}."
    )


def attention_mask_dtype(name: str) -> AssertionError:
    return AssertionError(f"only bool and floating types of {name} are supported")


def attention_embedding(expected: int, got: int) -> AssertionError:
    return AssertionError(f"was expecting embedding dimension of {expected}, but got {got}")


def attention_heads(embed_dim: int, heads: int) -> AssertionError:
    return AssertionError(f"embed_dim {embed_dim} not divisible by num_heads {heads}")


def attention_sequences(key: Shape, value: Shape) -> AssertionError:
    return AssertionError(
        f"key's sequence and batch dims torch.Size({list(key)}) do not match value's torch.Size({list(value)})"
    )


def attention_shapes(key: Shape, value: Shape) -> AssertionError:
    return AssertionError(
        f"key shape torch.Size({list(key)}) does not match value shape torch.Size({list(value)})"
    )


def attention_padding_size(dim: int, expected: int, got: int) -> AssertionError:
    return AssertionError(f"Expected key_padded_mask.shape[{dim}] to be {expected}, but got {got}")


def attention_causal_hint() -> RuntimeError:
    return RuntimeError(
        "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
        "`generate_square_subsequent_mask` to create this mask."
    )


def attention_sizes(embed_dim: int, heads: int) -> ValueError:
    return ValueError(
        f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={heads} instead"
    )


def heads_divide() -> AssertionError:
    return AssertionError("embed_dim must be divisible by num_heads")


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


def pad_reflection(argument: int, padding: Shape, dim: int, given: Shape) -> RuntimeError:
    return RuntimeError(
        f"Argument #{argument}: Padding size should be less than the corresponding input dimension, but got: padding "
        f"({', '.join(map(str, padding))}) at dimension {dim} of input {list(given)}"
    )


def pad_wrapping() -> RuntimeError:
    return RuntimeError("Padding value causes wrapping around more than once.")


def pad_empty_dimension() -> RuntimeError:
    return RuntimeError("Negative padding value is resulting in an empty dimension")


# --- embeddings


def embedding_weight() -> RuntimeError:
    return RuntimeError("'weight' must be 2-D")


def embedding_index() -> IndexError:
    return IndexError("index out of range in self")


def embedding_weight_shape() -> AssertionError:
    return AssertionError("Shape of weight does not match num_embeddings and embedding_dim")


def embedding_table_dimensions() -> AssertionError:
    return AssertionError("Embeddings parameter is expected to be 2-dimensional")


def sparse_gradient() -> NotImplementedError:
    """Not PyTorch's."""
    return NotImplementedError("sparse gradients are not available in Backlight yet")


def embedding_dtype(tensor_type: str, function: str = "embedding") -> RuntimeError:
    return RuntimeError(
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
        f"{tensor_type} instead (while checking arguments for {function})"
    )


def padding_index(lower: bool = False) -> AssertionError:
    return AssertionError(("padding_idx" if lower else "Padding_idx") + " must be within num_embeddings")


def one_hot_too_large() -> RuntimeError:
    return RuntimeError("Class values must be smaller than num_classes.")


def one_hot_negative() -> RuntimeError:
    return RuntimeError("Class values must be non-negative.")


def one_hot_dtype() -> RuntimeError:
    return RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")


# --- recurrent layers


def rnn_input_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"input.size(-1) must be equal to input_size. Expected {expected}, got {got}")


def rnn_dimensions(layer: str, ndim: int) -> ValueError:
    what = "D tensor" if layer == "RNN" else "D"
    return ValueError(f"{layer}: Expected input to be 2D or 3D, got {ndim}{what} instead")


def rnn_input_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"input must have 3 dimensions, got {ndim}")


def rnn_dtype(given: object, weight: object) -> ValueError:
    return ValueError(
        f"RNN input dtype ({given}) does not match weight dtype ({weight}). Convert input: input.to({weight}), or "
        f"convert model: model.to({given})"
    )


def rnn_hidden_dimensions(batched: bool, ndim: int) -> RuntimeError:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    return RuntimeError(f"For {kind} input, hx should also be {wanted}-D but got {ndim}-D tensor")


def lstm_hidden_dimensions(batched: bool, h: int, c: int) -> RuntimeError:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    return RuntimeError(f"For {kind} input, hx and cx should also be {wanted}-D but got ({h}-D, {c}-D) tensors")


def lstm_hidden_size(index: int, expected: Shape, got: Shape) -> RuntimeError:
    return RuntimeError(f"Expected hidden[{index}] size {tuple(expected)}, got {list(got)}")


def rnn_dropout() -> ValueError:
    return ValueError(
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
    )


def rnn_option_type(name: str, expected: str, got: object) -> TypeError:
    return TypeError(f"{name} should be of type {expected}, got: {type(got).__name__}")


def rnn_option_positive(name: str) -> ValueError:
    return ValueError(f"{name} must be greater than zero")


def rnn_projection_negative() -> ValueError:
    return ValueError("proj_size should be a positive integer or zero to disable projections")


def rnn_projection_large() -> ValueError:
    return ValueError("proj_size has to be smaller than hidden_size")


def rnn_projection_lstm_only() -> ValueError:
    return ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


def rnn_mode(mode: str) -> ValueError:
    return ValueError("Unrecognized RNN mode: " + mode)


def rnn_empty() -> RuntimeError:
    return RuntimeError("Expected sequence length to be larger than 0 in RNN")


def rnn_cell_batch(batch: int, index: int, hidden: int) -> RuntimeError:
    return RuntimeError(f"Input batch size {batch} doesn't match hidden{index} batch size {hidden}")


def rnn_cell_hidden_size(index: int, got: int, expected: int) -> RuntimeError:
    return RuntimeError(f"hidden{index} has inconsistent hidden_size: got {got}, expected {expected}")


def rnn_cell_hidden_dimensions(cell: str, ndim: int, index: int | None) -> ValueError:
    name = "hidden" if index is None else f"hx[{index}]"
    return ValueError(f"{cell}: Expected {name} to be 1D or 2D, got {ndim}D instead")


def rnn_cell_nonlinearity(name: object) -> RuntimeError:
    return RuntimeError(f"Unknown nonlinearity: {name}")


def rnn_hidden_size(expected: Shape, got: Shape) -> RuntimeError:
    return RuntimeError(f"Expected hidden size {tuple(expected)}, got {list(got)}")


def rnn_nonlinearity(name: object) -> ValueError:
    return ValueError(f"Unknown nonlinearity '{name}'. Select from 'tanh' or 'relu'.")


def rnn_cell_input_size(got: int, expected: int) -> RuntimeError:
    return RuntimeError(f"input has inconsistent input_size: got {got} expected {expected}")


def rnn_cell_dimensions(cell: str, ndim: int) -> ValueError:
    return ValueError(f"{cell}: Expected input to be 1D or 2D, got {ndim}D instead")
