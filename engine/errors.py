"""Every error and warning text of PyTorch that the engine raises, each under one name.

Texts are those of PyTorch 2.13 (CPU, Python 3.11).

Exceptions are Python's own, as in PyTorch:

    Exception
    ├── AttributeError
    ├── IndexError
    ├── RuntimeError
    │   ├── NotImplementedError
    │   └── LinAlgError          torch._C._LinAlgError
    ├── TypeError
    └── ValueError
"""

from __future__ import annotations

import re
from typing import Any


def dtype_unavailable(name: str) -> NotImplementedError:
    """A dtype that PyTorch has and numpy has not."""
    return NotImplementedError(f"torch.{name} is not available in Backlight yet")


def promotion_unsupported(first: str, second: str) -> RuntimeError:
    return RuntimeError(
        "Promotion for uint16, uint32, uint64 types is not supported, "
        f"attempted to promote {first} and {second}"
    )


def default_dtype_must_be_float() -> TypeError:
    return TypeError("only floating-point types are supported as the default type")


def default_dtype_not_dtype() -> TypeError:
    return TypeError("invalid dtype object: only floating-point types are supported as the default type")


def no_complex_type(type_name: str) -> RuntimeError:
    return RuntimeError(f"Unknown Complex ScalarType for {type_name}")


def no_attribute(owner: str, name: str) -> AttributeError:
    """``owner`` is the text before ``has no attribute``, e.g. ``'Tensor' object``."""
    return AttributeError(f"{owner} has no attribute '{name}'")


def argument_type(function: str, argument: str, position: int, expected: str, got: object) -> TypeError:
    """An argument of the wrong type; ``expected`` as PyTorch spells it (``Tensor``, ``torch.dtype``, ``int`` …)."""
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be {expected}, not {type(got).__name__}"
    )


def finfo_needs_float() -> TypeError:
    return TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")


def iinfo_needs_integer() -> TypeError:
    return TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")


def iinfo_of_bool() -> TypeError:
    return TypeError("torch.bool is not supported by torch.iinfo")


def cannot_create(class_name: str) -> TypeError:
    return TypeError(f"cannot create '{class_name}' instances")


def invalid_type_name(text: str) -> ValueError:
    """``tensor.type('foo')``."""
    return ValueError(f"invalid type: '{text}'")


def size_item_type(index: int, item: object) -> TypeError:
    return TypeError(f"torch.Size() takes an iterable of 'int' (item {index} is '{type(item).__name__}')")


def integer_too_big() -> OverflowError:
    return OverflowError("int too big to convert")


DEVICE_TYPES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)


def device_type_unknown(text: str) -> RuntimeError:
    return RuntimeError(
        f"Expected one of {', '.join(DEVICE_TYPES)} device type at start of device string: {text}"
    )


def device_string_invalid(text: str) -> RuntimeError:
    return RuntimeError(f"Invalid device string: '{text}'")


def device_string_empty() -> RuntimeError:
    return RuntimeError("Device string must not be empty")


def no_accelerator() -> RuntimeError:
    return RuntimeError("Cannot access accelerator device when none is available.")


def device_argument(got: object) -> TypeError:
    name = type(got).__name__
    return TypeError(
        f"device() received an invalid combination of arguments - got ({name}), but expected one of:\n"
        " * (torch.device device)\n"
        f"      didn't match because some of the arguments have invalid types: (!{name}!)\n"
        " * (str type, int index = -1)\n"
    )


def device_index_twice(text: str) -> RuntimeError:
    return RuntimeError(f"type (string) must not include an index because index was passed explicitly: {text}")


def device_index_negative() -> RuntimeError:
    return RuntimeError("Device index must not be negative")


def numpy_type_unsupported(numpy_type: type) -> TypeError:
    """An array whose elements no tensor can hold (strings, dates, objects)."""
    return TypeError(
        f"can't convert np.ndarray of type numpy.{numpy_type.__name__}. The only supported types are: "
        "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
        "uint64, uint32, uint16, uint8, and bool."
    )


def unsupported_format(class_name: str) -> TypeError:
    return TypeError(f"unsupported format string passed to {class_name}.__format__")


def precision_out_of_range(largest: int) -> ValueError:
    """Not PyTorch's: it would try."""
    return ValueError(f"precision must be between 0 and {largest}")


def not_implemented_for(kernel: str, type_name: str) -> NotImplementedError:
    """A kernel of PyTorch without a version for the dtype."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{type_name}'")


def negative_dimension(extent: int, shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"Trying to create tensor with negative dimension {extent}: {list(shape)}")


def integer_overflow() -> ValueError:
    """A Python int beyond 64 bits where PyTorch takes a C integer."""
    return ValueError("Overflow when unpacking long long")


def seed_type(got: object) -> RuntimeError:
    return RuntimeError(f"manual_seed expected a long, but got {type(got).__name__}")


def generator_device(device: str) -> RuntimeError:
    return RuntimeError(f"Device type {device.partition(':')[0].upper()} is not supported for torch.Generator() api.")


def generator_state_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Expected a CPUGeneratorImplState of size {expected} but found the input RNG state size to be {got}"
    )


def generator_state_type() -> TypeError:
    return TypeError("RNG state must be a torch.ByteTensor")


def bound_out_of_range(bound: str, cpp_name: str) -> RuntimeError:
    """``bound``: ``from``, ``to`` or ``to - 1``."""
    return RuntimeError(f"{bound} is out of bounds for {cpp_name}")


def uniform_range(low: float, high: float) -> RuntimeError:
    return RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")


def random_range(low: int, high: int) -> RuntimeError:
    return RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")


def normal_std(std: float) -> RuntimeError:
    return RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")


def normal_stds() -> RuntimeError:
    return RuntimeError("normal expects all elements of std >= 0.0")


def log_normal_std(std: float) -> RuntimeError:
    return RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")


def bernoulli_probability(p: float) -> RuntimeError:
    return RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


def bernoulli_probabilities() -> RuntimeError:
    return RuntimeError(
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  "
        "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)"
    )


def dropout_probability(p: float) -> ValueError:
    return ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def not_continuous(distribution: str, dtype_name: str) -> RuntimeError:
    return RuntimeError(
        f"{distribution} distribution is a continuous probability distribution. "
        f"dtype must be a floating point but you specified {dtype_name}"
    )


def exponential_rate(rate: float) -> RuntimeError:
    return RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")


def geometric_probability(p: float) -> RuntimeError:
    return RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")


def cauchy_sigma(sigma: float) -> RuntimeError:
    return RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")


def multinomial_dimensions() -> RuntimeError:
    return RuntimeError("prob_dist must be 1 or 2 dim")


def multinomial_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {type_name}")


def multinomial_count() -> RuntimeError:
    return RuntimeError("cannot sample n_sample <= 0 samples")


def multinomial_too_many() -> RuntimeError:
    return RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")


def multinomial_weights() -> RuntimeError:
    return RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")


def multinomial_sum() -> RuntimeError:
    return RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def conversion_overflow(c_type: str) -> RuntimeError:
    """``c_type``: ``uint8_t``, ``float`` …"""
    return RuntimeError(f"value cannot be converted to type {c_type} without overflow")


def aminmax_empty() -> RuntimeError:
    return RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")


# --- autograd: running backward


def backward_twice() -> RuntimeError:
    """A node whose saved tensors are gone."""
    return RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward."
    )


def modified_inplace(
    array: Any, node: str | None, number: int, version: int, expected: int, anomaly: bool = False
) -> RuntimeError:
    """A saved tensor was written to after it was saved. ``node``: name of the tensor's current grad_fn."""
    kind = f"torch.{_type_name(array)}Tensor {list(array.shape)}"
    origin = "" if node is None else f", which is output {number} of {short_node_name(node)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
        "question was changed in there or anywhere later. Good luck!"
        if anomaly
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind}]{origin} is at version {version}; expected version {expected} instead. Hint: {hint}"
    )


def _type_name(array: Any) -> str:
    from engine import dtypes

    return dtypes.of(array.dtype).type_name


def short_node_name(name: str) -> str:
    """``MulBackward0`` → ``Mul``, as error texts name nodes."""
    return re.sub(r"Backward\d*$", "", name.rpartition("::")[2])


def input_without_requires_grad() -> RuntimeError:
    return RuntimeError("One of the differentiated Tensors does not require grad")


def wrong_gradient_count(node: str, expected: int, got: int) -> RuntimeError:
    return RuntimeError(
        f"Function {node} returned an invalid number of gradients - expected {expected}, but got {got}"
    )


def invalid_gradient(node: str, index: int, got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Function {node} returned an invalid gradient at index {index} - got {list(got)} but expected shape "
        f"compatible with {list(expected)}"
    )


def returned_nan(node: str, index: int) -> RuntimeError:
    return RuntimeError(f"Function '{node}' returned nan values in its {index}th output.")


# --- autograd: leaves, .grad, requires_grad, detach


def requires_grad_not_bool() -> RuntimeError:
    return RuntimeError("requires_grad must be a bool")


def requires_grad_off_non_leaf() -> RuntimeError:
    return RuntimeError(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
        "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
    )


def requires_grad_non_leaf() -> RuntimeError:
    return RuntimeError("you can only change requires_grad flags of leaf variables.")


def requires_grad_integer(attribute: bool) -> RuntimeError:
    """``attribute``: set as an attribute; otherwise by ``requires_grad_()``."""
    if attribute:
        return RuntimeError("only Tensors of floating point and complex dtype can require gradients")
    return RuntimeError("only Tensors of floating point dtype can require gradients")


def new_requires_grad_integer() -> RuntimeError:
    """A factory asked for gradients of integers."""
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def retain_grad_without_requires_grad() -> RuntimeError:
    return RuntimeError("can't retain_grad on Tensor that has requires_grad=False")


def hook_without_requires_grad() -> RuntimeError:
    return RuntimeError("cannot register a hook on a tensor that doesn't require gradient")


def post_accumulate_hook_non_leaf() -> RuntimeError:
    return RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")


def hook_returned_non_tensor(value: object) -> TypeError:
    return TypeError(f"expected Variable, but hook returned '{type(value).__name__}'")


def hook_changed_size(hook: str) -> RuntimeError:
    return RuntimeError(f"hook '{hook}' has changed the size of value")


def hook_changed_type(hook: str, was: Any, got: Any) -> RuntimeError:
    return RuntimeError(f"hook '{hook}' has changed the type of value (was {was.tensor_type} got {got.tensor_type})")


def hook_wrong_count(hook: str, got: int, expected: int) -> RuntimeError:
    return RuntimeError(
        f"hook '{hook}' has returned an incorrect number of values (got {got}, but expected {expected})"
    )


def grad_not_tensor(value: object) -> TypeError:
    return TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")


def grad_is_self() -> RuntimeError:
    return RuntimeError("can't assign Variable as its own grad")


def grad_shape(got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"attempting to assign a gradient of size '{list(got)}' to a tensor of size '{list(expected)}'. Please ensure "
        "that the gradient and the tensor are the same size"
    )


def grad_dtype(got: Any, expected: Any) -> RuntimeError:
    return RuntimeError(
        f"attempting to assign a gradient with dtype '{got.cpp_name}' to a tensor with grad_dtype "
        f"'{expected.type_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). "
        "You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. Set "
        "grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream systems that "
        "assume they match."
    )


def data_not_tensor(value: object) -> TypeError:
    return TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")


def data_integer() -> RuntimeError:
    return RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")


def detach_view() -> RuntimeError:
    return RuntimeError(
        "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
        "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() "
        "cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
        "torch/optim/optimizer.py as the solution."
    )


# --- autograd: in-place writes and views


def leaf_inplace() -> RuntimeError:
    return RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")


def leaf_view_inplace() -> RuntimeError:
    return RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")


def overlapping_write() -> RuntimeError:
    return RuntimeError(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )


def inplace_shape(shape: tuple[int, ...], broadcast: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"output with shape {list(shape)} doesn't match the broadcast shape {list(broadcast)}"
    )


def inplace_dtype(result: str, output: str) -> RuntimeError:
    return RuntimeError(f"result type {result} can't be cast to the desired output type {output}")


def view_modified(origin: str, node: str | None, number: int, indirect: bool) -> RuntimeError:
    """A view that may not be written to. ``origin``: how it was made, as ``engine.tensor.View.origin``."""
    what = "its base or another view of its base has been" if indirect else "is being"
    if node is not None:
        head = f"Output {number} of {short_node_name(node)} is a view and {what} modified inplace."
    elif origin == "inference":
        head = f"A view was created in inference mode and {what} modified inplace in normal mode."
    else:
        head = f"A view was created in no_grad mode and {what} modified inplace with grad mode enabled."
    tail = {
        "multiple": " This view is the output of a function that returns multiple views. Such functions do not allow "
        "the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.",
        "no_grad": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code "
        "by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace "
        "to be tracked) or both outside (if you want the inplace to be tracked).",
        "inference": " Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your "
        "code by moving both the view and the inplace either both inside the inference_mode block (if you don't want "
        "the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
        "function": " This view was created inside a custom Function (or because an input was returned as-is) and the "
        "autograd logic to handle view+inplace would override the custom backward associated with the custom Function, "
        "leading to incorrect gradients. This behavior is forbidden. You can fix this by cloning the output of the "
        "custom Function.",
    }[origin]
    return RuntimeError(head + tail)


# --- autograd: modes


def inference_version() -> RuntimeError:
    return RuntimeError("Inference tensors do not track version counter.")


def inference_requires_grad() -> RuntimeError:
    return RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")


def inference_saved() -> RuntimeError:
    return RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
    )


def inference_inplace() -> RuntimeError:
    return RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
        "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
    )


# --- arguments of ops


def bad_operand(op: str, value: object) -> TypeError:
    """An argument that is neither a tensor nor a number."""
    return TypeError(f"{op}(): argument 'other' must be Tensor, not {type(value).__name__}")


def expected_tensors(op: str, value: object) -> TypeError:
    return TypeError(f"{op}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(value).__name__}")


def expected_number(value: object) -> TypeError:
    return TypeError(f"argument must be Tensor or Number, not {type(value).__name__}")


def not_a_scalar(elements: int) -> RuntimeError:
    return RuntimeError(f"a Tensor with {elements} elements cannot be converted to Scalar")


def too_many_arguments(op: str, most: int, got: int) -> TypeError:
    return TypeError(f"{op}() takes {most} positional arguments but {got} were given")


def unexpected_keyword(op: str, keyword: str) -> TypeError:
    return TypeError(f"{op}() got an unexpected keyword argument '{keyword}'")


def missing_argument(op: str, name: str) -> TypeError:
    return TypeError(f"{op}() missing 1 required positional argument: '{name}'")


# --- autograd: arguments of backward and grad


def implicit_gradient_non_scalar() -> RuntimeError:
    return RuntimeError("grad can be implicitly created only for scalar outputs")


def implicit_gradient_dtype(numpy_dtype: Any) -> RuntimeError:
    from engine import dtypes

    return RuntimeError(
        "grad can be implicitly created only for real scalar outputs but got " + repr(dtypes.of(numpy_dtype))
    )


def root_without_graph(index: int) -> RuntimeError:
    return RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")


def root_without_gradient(index: int) -> RuntimeError:
    return RuntimeError(f"element {index} of gradients tuple is None, but the corresponding Tensor requires grad")


def gradient_count(tensors: int, gradients: int) -> RuntimeError:
    return RuntimeError(f"got {tensors} tensors and {gradients} gradients")


def gradient_shape(index: int, got: tuple[int, ...], expected: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Mismatch in shape: grad_output[{index}] has a shape of torch.Size({list(got)}) and output[{index}] has a "
        f"shape of torch.Size({list(expected)})."
    )


def gradient_complex(index: int, got: Any, numpy_dtype: Any) -> RuntimeError:
    from engine import dtypes

    return RuntimeError(
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
        f"grad_output[{index}] has a dtype of {got!r} and output[{index}] has a dtype of "
        f"{dtypes.of(numpy_dtype)!r}."
    )


def gradient_type(value: object) -> TypeError:
    return TypeError(f"gradients can be either Tensors or None, but got {type(value).__name__}")


def empty_inputs(function: str) -> RuntimeError:
    return RuntimeError(f"`inputs` argument to `{function}()` cannot be empty.")


def unused_input(index: int) -> RuntimeError:
    return RuntimeError(
        f"The differentiated Tensor at index {index} appears to not have been used in the graph. Set allow_unused=True "
        "if this is the desired behavior."
    )


def materialize_without_unused() -> ValueError:
    return ValueError(
        "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
    )


def grad_tensors_and_variables() -> RuntimeError:
    return RuntimeError(
        "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only use "
        "`grad_tensors`."
    )


def batched_gradient_sizes() -> ValueError:
    return ValueError("The batched grad_outputs must all have the same size in their first dimension.")


def variable_data(value: object) -> TypeError:
    return TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
