"""Making tensors: data, dtypes, sizes and devices; and getting Python values out of them."""

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


def finfo_needs_float() -> TypeError:
    return TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")


def iinfo_needs_integer() -> TypeError:
    return TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")


def iinfo_of_bool() -> TypeError:
    return TypeError("torch.bool is not supported by torch.iinfo")


def invalid_type_name(text: str) -> ValueError:
    """``tensor.type('foo')``."""
    return ValueError(f"invalid type: '{text}'")


def size_item_type(index: int, item: object) -> TypeError:
    return TypeError(f"torch.Size() takes an iterable of 'int' (item {index} is '{type(item).__name__}')")


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


def negative_dimension(extent: int, shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"Trying to create tensor with negative dimension {extent}: {list(shape)}")
