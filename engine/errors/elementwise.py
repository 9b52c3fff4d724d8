"""Elementwise ops, reductions and losses."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.warnings import warn

Shape = Sequence[int]


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
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
        "operator "
        "instead."
    )


def subtract_bool() -> RuntimeError:
    return RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
        "use the "
        "`~` or `logical_not()` operator instead."
    )


def negate_bool() -> RuntimeError:
    return RuntimeError(
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
        "the `~` "
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


def warn_deprecated_overload(function: str, overload: str, instead: Sequence[str]) -> None:
    """``addmm(beta, input, alpha, mat1, mat2)`` and its kin."""
    warn(
        UserWarning,
        f"This overload of {function} is deprecated:\n\t{function}{overload}\n"
        "Consider using one of the following signatures instead:"
        + "".join([f"\n\t{function}{signature}" for signature in instead]),
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


def mvlgamma_order() -> RuntimeError:
    return RuntimeError("p has to be greater than or equal to 1")


# --- reductions


def addcdiv_integers() -> RuntimeError:
    return RuntimeError(
        "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
        "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
        "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) "
        "for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / "
        "tensor2), for all dtypes."
    )


def autograd_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"Autograd not support dtype: {type_name}")


def accumulation_dtype(own: str, asked: str) -> RuntimeError:
    return RuntimeError(f"Bad in-place call: input tensor dtype {own} and output tensor dtype {asked} should match")


def nanmean_result_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(
        "nanmean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
        f"Got: {type_name}"
    )


def nanmean_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"nanmean(): expected input to have floating point or complex dtype but got {type_name}")


def mean_dtype(type_name: str, given: bool) -> RuntimeError:
    """`given`: the dtype was asked for, not the input's own."""
    if given:
        return RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex "
            "dtype. Got: "
            f"{type_name}"
        )
    return RuntimeError(
        "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
        f"{type_name}"
    )


def spread_dtype(function: str) -> RuntimeError:
    """`function`: std, var, std_mean or var_mean."""
    if function.endswith("mean"):
        return RuntimeError(f"{function} only support floating point and complex dtypes")
    return RuntimeError("std and var only support floating point and complex dtypes")


def reduction_of_nothing(function: str) -> RuntimeError:
    return RuntimeError(
        f"{function}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
        "with the "
        "'dim' argument."
    )


def reduction_of_empty_dim(function: str, dim: int) -> IndexError:
    """`function`: with its parentheses, where PyTorch prints them."""
    return IndexError(f"{function}: Expected reduction dim {dim} to have non-zero size.")


def kth_out_of_range(dim: int) -> RuntimeError:
    return RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")


# --- activations


def gelu_approximate() -> RuntimeError:
    return RuntimeError("approximate argument must be either none or tanh.")


def glu_scalar() -> RuntimeError:
    return RuntimeError("glu does not support scalars because halving size must be even")


def glu_odd(dim: int, extent: int) -> RuntimeError:
    return RuntimeError(f"Halving dimension must be even, but dimension {dim} is size {extent}")


def hardtanh_bounds() -> ValueError:
    return ValueError("min_val cannot be greater than max_val")


def celu_alpha() -> RuntimeError:
    return RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")


# --- norms


def dist_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {type_name} instead.")


def norm_result_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"linalg.vector_norm: dtype should be floating point or complex, but got {type_name}")


def renorm_real(name: str) -> RuntimeError:
    return RuntimeError(f"renorm: {name} must be real-valued")


def norm_order_complex() -> RuntimeError:
    return RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")


def norm_input_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"norm(): input dtype should be either floating point or complex. Got {type_name} instead.")


def norm_kind(kind: str, type_name: str) -> RuntimeError:
    """`kind`: real or complex, as the input is."""
    return RuntimeError(f"linalg.vector_norm: dtype should be {kind} for {kind} inputs, but got {type_name}")


def norm_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {type_name}")


def norm_of_empty(order: float, dim: int | None) -> RuntimeError:
    where = "empty tensor because the" if dim is None else f"the dimension {dim}because this dimension is empty and the"
    article = "an " if dim is None else ""
    return RuntimeError(
        f"linalg.vector_norm cannot compute the {float(order):g} norm on {article}{where} operation does not have "
        "an identity"
    )


def norm_needs_dim(ndim: int) -> RuntimeError:
    return RuntimeError(
        f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D."
    )


def norm_dim_count(dims: Sequence[int]) -> RuntimeError:
    return RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {list(dims)}")


def matrix_norm_dim_count(dims: Sequence[int]) -> RuntimeError:
    return RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dims))}")


def matrix_norm_same_dims(rows: int, columns: int) -> RuntimeError:
    return RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({rows}, {columns})")


def matrix_norm_order(order: object) -> RuntimeError:
    return RuntimeError(f"linalg.matrix_norm: Order {order} not supported.")


def matrix_norm_dimensions() -> RuntimeError:
    return RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")


def renorm_order() -> RuntimeError:
    return RuntimeError("renorm: non-positive-norm not supported")


def renorm_maxnorm(found: float) -> RuntimeError:
    return RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {found:g}")


def renorm_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"renorm: input needs at least 2 dimensions, got {ndim} dimensions")


def relu_bool() -> RuntimeError:
    return RuntimeError("Boolean inputs not supported for relu")


# --- losses


def reduction_name(reduction: object) -> ValueError:
    return ValueError(f"{reduction} is not a valid value for reduction")


def target_out_of_bounds(target: int) -> IndexError:
    return IndexError(f"Target {target} is out of bounds.")


def batch_sizes(given: int, target: int) -> ValueError:
    return ValueError(f"Expected input batch_size ({given}) to match target batch_size ({target}).")


def target_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"expected target dtype to be Long or Byte, but got {type_name}")


def target_of_vector(size: int) -> ValueError:
    return ValueError(f"For 1D input, 1D target must have size 1, but got target size: {size}")


def class_weight(classes: int, shape: tuple[int, ...], function: str = "") -> RuntimeError:
    return RuntimeError(
        f"{function}weight tensor should be defined either for all {classes} classes or no classes but got weight"
        f" tensor of shape: {list(shape)}"
    )


def class_weight_of_images() -> RuntimeError:
    return RuntimeError("weight tensor should be defined either for all or no classes")


def ignored_probabilities() -> RuntimeError:
    return RuntimeError("ignore_index is not supported for floating point target")


def probability_range(argument: str) -> RuntimeError:
    """`argument`: input or target."""
    return RuntimeError(f"all elements of {argument} should be between 0 and 1")


def bce_target_size(target: tuple[int, ...], given: tuple[int, ...]) -> ValueError:
    return ValueError(
        f"Using a target size (torch.Size({list(target)})) that is different to the input size "
        f"(torch.Size({list(given)})) is deprecated. Please ensure they have the same size."
    )


def logits_target_size(target: tuple[int, ...], given: tuple[int, ...]) -> ValueError:
    return ValueError(
        f"Target size (torch.Size({list(target)})) must be the same as input size (torch.Size({list(given)}))"
    )


def negative_beta() -> RuntimeError:
    return RuntimeError("smooth_l1_loss does not support negative values for beta.")


def delta_not_positive() -> RuntimeError:
    return RuntimeError("huber_loss does not support non-positive values for delta.")


def not_differentiable_in_place(op: str) -> NotImplementedError:
    return NotImplementedError(f"the derivative for 'inplace version of {op}' is not implemented.")


def isin_type(type_name: str) -> RuntimeError:
    return RuntimeError(f"Unsupported input type encountered for isin(): {type_name}")


def norm_narrowing(own: str, asked: str) -> RuntimeError:
    return RuntimeError(
        f"linalg.vector_norm: the dtype of the input ({own}) should be convertible without narrowing to the specified "
        f"dtype ({asked})"
    )


def not_differentiable_in(op: str, argument: str) -> RuntimeError:
    return RuntimeError(
        f"The function '{op}' is not differentiable with respect to argument '{argument}'. This input cannot have "
        "requires_grad True."
    )


def margin_target() -> RuntimeError:
    return RuntimeError("target out of range")


def multi_margin_target(rows: int, found: Shape, shape: Shape) -> RuntimeError:
    """``rows``: of the input; ``found``: the shape of the target."""
    return RuntimeError(
        "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). "
        f"Expected target size [{rows}], but got {list(found)}. Input has shape {list(shape)}."
    )


def margin_input(shape: Shape) -> RuntimeError:
    return RuntimeError(
        f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(shape)}"
    )


def margin_power() -> ValueError:
    return ValueError("only p == 1 and p == 2 supported")


def margin_weight() -> ValueError:
    return ValueError("weight must be one-dimensional")


def margin_weight_size(classes: int, shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"inconsistent weight size, expected {classes} but got {list(shape)}")


def nll_of_scalar(ndim: int) -> ValueError:
    return ValueError(f"Expected 1 or more dimensions (got {ndim})")


def nll_sizes(given: tuple[int, ...], target: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"size mismatch (got input: {list(given)}, target: {list(target)})")


def spatial_target(ndim: int) -> RuntimeError:
    """Classes of pixels, which are not in the shape (batch, rows, columns)."""
    return RuntimeError(
        f"only batches of spatial targets supported (3D tensors) but got targets of dimension: {ndim}"
    )


def spatial_sizes(given: tuple[int, ...], target: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"size mismatch (got input: {list(given)} , target: {list(target)}")


def target_size(expected: tuple[int, ...], got: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"Expected target size {list(expected)}, got {list(got)}")


def multilabel_target(target: tuple[int, ...], given: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"inconsistent target size: {list(target)} for input of size: {list(given)}")


def multilabel_range() -> RuntimeError:
    return RuntimeError("argument #2 'target' is out of range")


def label_smoothing_range(found: float) -> RuntimeError:
    return RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {found:g}")


def probabilities_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"Expected floating point type for target with class probabilities, got {type_name}")


def loss_weight_size() -> ValueError:
    return ValueError("Weights and input must have the same size.")


def ranking_sizes(first: object, second: object, target: object) -> RuntimeError:
    return RuntimeError(
        "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
        f"input1: {first}, input2: {second}, target: {target} "
    )


def cosine_target() -> RuntimeError:
    return RuntimeError("0D or 1D target tensor expected, multi-target not supported")


def cosine_inputs(target: int, first: Shape, second: Shape) -> RuntimeError:
    """``target``: dimensions of the target."""
    return RuntimeError(
        f"{target}D target tensor expects {target + 1}D input tensors, but found inputs with sizes {list(first)} and "
        f"{list(second)}."
    )


def triplet_margin(margin: float) -> ValueError:
    return ValueError(f"margin must be greater than 0, got {margin}")


def triplet_dimensions(anchor: int, positive: int, negative: int) -> RuntimeError:
    return RuntimeError(
        "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
        f"anchor {anchor}D, positive {positive}D, and negative {negative}D inputs"
    )


def variance_negative() -> ValueError:
    return ValueError("var has negative entry/entries")


def variance_size() -> ValueError:
    return ValueError("var is of incorrect size")


def plain_reduction_name(reduction: str) -> ValueError:
    """The losses that check `reduction` themselves."""
    return ValueError(f"{reduction} is not valid")


def warn_elementwise_mean() -> None:
    warn(UserWarning, "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")


def prelu_scalar() -> RuntimeError:
    return RuntimeError("Not allow zero-dim input tensor.")


def prelu_weights(count: int, channels: int) -> RuntimeError:
    return RuntimeError(
        "Mismatch of parameter numbers and input channel size. "
        f"Found parameter numbers = {count} and channel size = {channels}."
    )


def prelu_dtypes(given: str, weight: str) -> RuntimeError:
    return RuntimeError(f"prelu: Type promoting not supported. Got {given} and {weight}")


def rrelu_bound(which: str, bound: float) -> RuntimeError:
    return RuntimeError(f"rrelu: {which} bound must be finite, got {bound:g}")


def rrelu_bounds() -> RuntimeError:
    return RuntimeError("Lower bound should be less than or equal to the upper bound")


def softshrink_bound(found: float, largest: float, type_name: str) -> RuntimeError:
    return RuntimeError(
        f"lambda must be in range [0, {float(largest):g}] for input dtype {type_name}, but found {found:g}"
    )


def leaky_relu_in_place() -> RuntimeError:
    return RuntimeError(
        "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This "
        "is caused "
        "by calling in-place forward function with a negative slope, please call out-of-place version instead. File an "
        "issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
        "calculation "
        "with negative slope"
    )


# --- statistics


def diff_scalar() -> RuntimeError:
    return RuntimeError("diff expects input to be at least one-dimensional")


def diff_order(n: int) -> RuntimeError:
    return RuntimeError(f"order must be non-negative but got {n}")


def gradient_edge_order() -> RuntimeError:
    return RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")


def gradient_spacing(given: int, expected: int) -> RuntimeError:
    return RuntimeError(
        "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
        f"same length, but got a spacing argument of length {given} and a dim argument of length {expected}."
    )


def gradient_tensors(given: int, ndim: int) -> RuntimeError:
    """Where no dimensions are given."""
    return RuntimeError(
        f"torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = "
        f"{ndim}', since dim argument was not given, but got a list of length {given}"
    )


def gradient_uint8() -> RuntimeError:
    return RuntimeError("torch.gradient does not support uint8 input.")


def gradient_too_small() -> RuntimeError:
    return RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")


def trapezoid_bool(function: str, arguments: str) -> RuntimeError:
    return RuntimeError(f"{function}: received a bool input for {arguments}, but bool is not supported")


def diff_dimensions() -> RuntimeError:
    return RuntimeError("diff expects prepend or append to be the same dimension as input")


def diff_shapes(dim: int, own: int, got: int) -> RuntimeError:
    return RuntimeError(
        "diff expects the shape of tensor to prepend or append to match that of input except along the differencing "
        f"dimension; input.size({dim}) = {own}, but got tensor.size({dim}) = {got}"
    )


def pdist_dtype() -> RuntimeError:
    return RuntimeError("pdist only supports floating-point dtypes")


def cosine_eps(eps: float) -> RuntimeError:
    return RuntimeError(f"eps must be non-negative, got: {eps:g}")


def nonzero_static_size() -> RuntimeError:
    return RuntimeError("nonzero_static: 'size' must be an non-negative integer")


def searchsorted_side(side: str) -> RuntimeError:
    return RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")


def searchsorted_opposites() -> RuntimeError:
    return RuntimeError(
        "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True"
    )


def searchsorted_sorter(type_name: str) -> RuntimeError:
    return RuntimeError(f"torch.searchsorted(): sorter must be a tensor of long dtype but got dtype {type_name}")


def searchsorted_sorter_range() -> RuntimeError:
    return RuntimeError("torch.searchsorted(): sorter index out of range")


def searchsorted_without_dimension() -> RuntimeError:
    return RuntimeError(
        "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension"
    )


def searchsorted_sorter_size(boundaries: Sequence[int], sorter: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor "
        f"{list(boundaries)}and got sorter tensor {list(sorter)}"
    )


def trapezoid_complex(function: str) -> RuntimeError:
    return RuntimeError(f"{function}: Currently, we only support dx as a real number.")


def alpha_kind(number: str, inputs: str) -> RuntimeError:
    return RuntimeError(f"For {inputs} input tensors, argument alpha must not be a {number} number.")


def alpha_bool() -> RuntimeError:
    return RuntimeError("Boolean alpha only supported for Boolean results.")


def trapezoid_points(function: str) -> RuntimeError:
    return RuntimeError(f"{function}: There must be one `x` value for each sample point")


def cov_weight_dimensions(name: str, ndim: int) -> RuntimeError:
    text = f"expected {name} to have one or fewer dimensions but got {name} with {ndim} dimensions"
    return RuntimeError(f"cov(): {text}")


def cov_weight_dtype(name: str, wanted: str, got: str) -> RuntimeError:
    return RuntimeError(f"cov(): expected {name} to have {wanted} dtype but got {name} with {got} dtype")


def cov_weight_count(name: str, got: int, observations: int) -> RuntimeError:
    text = f"expected {name} to have the same numel as there are observations in the input"
    return RuntimeError(f"cov(): {text} but got {got} != {observations}")


def cov_weight_negative(name: str) -> RuntimeError:
    return RuntimeError(f"cov(): {name} cannot be negative")


def quantile_range(q: float) -> RuntimeError:
    return RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")


def quantile_q_range() -> RuntimeError:
    return RuntimeError("quantile() q values must be in the range [0, 1]")


def quantile_empty() -> RuntimeError:
    return RuntimeError("quantile() input tensor must be non-empty")


def quantile_dtype() -> RuntimeError:
    return RuntimeError("quantile() input tensor must be either float or double dtype")


def quantile_dimensions() -> RuntimeError:
    return RuntimeError("quantile() q must be a scalar or 1D tensor")


def quantile_q_dtype() -> RuntimeError:
    return RuntimeError("quantile() q tensor must be same dtype as the input tensor")


def quantile_interpolation(found: str) -> RuntimeError:
    return RuntimeError(
        f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {found}"
    )


def cov_dimensions(ndim: int, function: str = "cov") -> RuntimeError:
    return RuntimeError(
        f"{function}(): expected input to have two or fewer dimensions but got an input with {ndim} dimensions"
    )


def cov_bool() -> RuntimeError:
    return RuntimeError("cov(): bool dtype is not supported for input")


def warn_cov_freedom() -> None:
    warn(
        UserWarning,
        "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
    )


def ctc_log_probs(dimensions: int) -> RuntimeError:
    return RuntimeError(
        f"Expected 3-dimensional tensor, but got {dimensions}-dimensional tensor for argument #1 'log_probs' (while "
        "checking arguments for ctc_loss_allocate_outputs)"
    )


def ctc_empty() -> RuntimeError:
    return RuntimeError("log_probs tensor must not be empty")


def ctc_blank() -> RuntimeError:
    return RuntimeError("blank must be in label range")


def ctc_integral(argument: str) -> RuntimeError:
    return RuntimeError(f"{argument} must be integral")


def ctc_lengths(argument: str) -> RuntimeError:
    return RuntimeError(f"{argument} must be of size batch_size")


def ctc_arguments(given: Sequence[str]) -> TypeError:
    return TypeError(
        f"ctc_loss() received an invalid combination of arguments - got ({', '.join(given)}), but expected one of:\n"
        " * (Tensor log_probs, Tensor targets, tuple of ints input_lengths, tuple of ints target_lengths, int blank = "
        "0, int reduction = at::Reduction::Mean, bool zero_infinity = False)\n"
        " * (Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor target_lengths, int blank = 0, int "
        "reduction = at::Reduction::Mean, bool zero_infinity = False)\n"
    )


def ctc_length_negative(argument: str, found: int) -> RuntimeError:
    return RuntimeError(
        f"Expected {argument} to have value at least 0, but got value {found} (while checking arguments for "
        "ctc_loss_allocate_outputs)"
    )


def ctc_label(label: int, classes: int) -> IndexError:
    """PyTorch reads whatever lies beyond the row; no number would be right."""
    return IndexError(f"index {label} is out of bounds for dimension 2 with size {classes}")


def ctc_targets_size(wanted: int, dim: int, found: int, least: bool = False) -> RuntimeError:
    return RuntimeError(
        f"Expected tensor to have size {'at least ' * least}{wanted} at dimension {dim}, but got size {found} for "
        "argument #2 'targets' (while checking arguments for ctc_loss_allocate_outputs)"
    )


def ctc_targets_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(
        f"Expected 1 to 2 dimensions, but got {ndim}-dimensional tensor for argument #2 'targets' (while checking "
        "arguments for ctc_loss_allocate_outputs)"
    )


def ctc_input_length(steps: int, found: int) -> RuntimeError:
    return RuntimeError(
        f"Expected input_lengths to have value at most {steps}, but got value {found} (while checking arguments for "
        "ctc_loss_allocate_outputs)"
    )


def frexp_dtype() -> RuntimeError:
    return RuntimeError("torch.frexp() only supports floating-point dtypes")


def mask_dimensions() -> IndexError:
    return IndexError(
        "_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)"
    )


def masked_mean_dtype(source: str, dtype: object) -> ValueError:
    """`source`: Optional or Input."""
    return ValueError(
        f"mean(): Could not infer output dtype. {source} dtype must be either a floating point or complex dtype. "
        f"Got: {dtype}"
    )


def foreach_empty() -> RuntimeError:
    return RuntimeError("Tensor list must have at least one tensor.")


def foreach_lengths(length: int, other: int) -> RuntimeError:
    return RuntimeError(f"Tensor lists must have the same number of tensors, got {length} and {other}")


def foreach_scalars() -> RuntimeError:
    return RuntimeError("Tensor list must have same number of elements as scalar list.")
