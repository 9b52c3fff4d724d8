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
