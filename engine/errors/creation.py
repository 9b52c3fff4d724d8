"""Making tensors: sizes, ranges, data."""

from __future__ import annotations

import math
from typing import Any

from engine.errors.arguments import type_name
from engine.errors.warnings import warn

_OPTIONS = (
    "*, Tensor out = None, torch.dtype dtype = None, torch.layout layout = None, torch.device device = None, "
    "bool pin_memory = False, bool requires_grad = False"
)
_OPTIONS_WITHOUT_OUT = _OPTIONS.replace("Tensor out = None, ", "")


def missing_positional(function: str, *names: str) -> TypeError:
    listed = ", ".join(f'"{name}"' for name in names)
    return TypeError(f"{function}() missing {len(names)} required positional arguments: {listed}")


def too_many_positional(function: str, most: int, got: int) -> TypeError:
    plural = "" if most == 1 else "s"
    return TypeError(f"{function}() takes {most} positional argument{plural} but {got} were given")


def negative_size(function: str) -> RuntimeError:
    """``zeros(-1)``; other factories name the sizes."""
    return RuntimeError(f"{function}: Dimension size must be non-negative.")


def arange_arguments() -> TypeError:
    return TypeError(
        "arange() received an invalid combination of arguments - got (), but expected one of:\n"
        f" * (Number end, {_OPTIONS})\n"
        f" * (Number start, Number end, {_OPTIONS_WITHOUT_OUT})\n"
        f" * (Number start, Number end, Number step = 1, {_OPTIONS})\n"
    )


def arange_infinite(start: float, end: float) -> RuntimeError:
    return RuntimeError(f"unsupported range: {_number(start)} -> {_number(end)}")


def _number(value: float) -> str:
    return f"{value:g}" if math.isfinite(value) else str(value)


def warn_arrays_in_list() -> None:
    warn(
        UserWarning,
        "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a "
        "single numpy.ndarray with numpy.array() before converting to a tensor.",
        once="arrays_in_list",
    )


def negative_strides() -> ValueError:
    """A reversed array."""
    return ValueError(
        "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently "
        "supported. (You can probably work around this by making a copy of your array  with array.copy().) "
    )


def not_a_sequence() -> TypeError:
    """``torch.tensor([[1], 2])``."""
    return TypeError("not a sequence")


def unsized_array() -> TypeError:
    """``torch.tensor([np.array(1.0)])``."""
    return TypeError("len() of unsized object")


def too_deep(value: Any) -> ValueError:
    return ValueError(f"too many dimensions '{type_name(value)}'")


def legacy_type(expected: str, got: str) -> TypeError:
    """``torch.FloatTensor(long tensor)``."""
    rest = (
        "device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
        "memory_format=(nullopt)"
    )
    return TypeError(
        f"expected TensorOptions(dtype={expected}, {rest}) (got TensorOptions(dtype={got}, {rest}))"
    )


def normal_arguments(*got: object) -> TypeError:
    names = ", ".join(type_name(value) for value in got)
    return TypeError(
        f"normal() received an invalid combination of arguments - got ({names}), but expected one of:\n"
        " * (Tensor mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)\n"
        " * (Tensor mean, float std = 1, *, torch.Generator generator = None, Tensor out = None)\n"
        " * (float mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)\n"
        " * (float mean, float std, tuple of ints size, *, torch.Generator generator = None, Tensor out = None, "
        f"{_OPTIONS_WITHOUT_OUT.removeprefix('*, ')})\n"
    )


def randint_arguments(*got: object) -> TypeError:
    names = ", ".join(type_name(value) for value in got)
    forms = []
    for numbers in ("int high", "int low, int high"):
        for generator in ("torch.Generator generator, ", ""):
            forms.append(f" * ({numbers}, tuple of ints size, *, {generator}{_OPTIONS.removeprefix('*, ')})\n")
    return TypeError(
        f"randint() received an invalid combination of arguments - got ({names}), but expected one of:\n"
        + "".join(forms)
    )


def contains_type(value: object) -> RuntimeError:
    """``value in tensor``."""
    return RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(value)}.")


def type_argument() -> TypeError:
    """``x.type(3)``."""
    return TypeError("dtype must be a type, str, or dtype object")


def set_dtype(source: str, own: str) -> RuntimeError:
    return RuntimeError(f"Could not set tensor of type {source} to a tensor of type {own}")


def set_not_differentiable() -> RuntimeError:
    return RuntimeError("derivative for set_ is not implemented")


def resize_negative() -> RuntimeError:
    return RuntimeError("numel: integer multiplication overflow")


def resize_with_grad() -> RuntimeError:
    return RuntimeError("cannot resize variables that require grad")


def linspace_dimensions(function: str, wide: dict[str, int]) -> RuntimeError:
    got = " and ".join(f"{name} with {ndim} dimension(s)" for name, ndim in wide.items())
    return RuntimeError(f"{function} only supports 0-dimensional start and end tensors, but got {got}.")


def window_length(function: str, length: int) -> RuntimeError:
    return RuntimeError(f"{function} requires non-negative window_length, got window_length={length}")


def window_dtype(function: str, dtype: str) -> RuntimeError:
    options = (
        f"dtype={dtype}, device=cpu, layout=Strided (default), requires_grad=false (default),"
        " pinned_memory=false, memory_format=(nullopt)"
    )
    return RuntimeError(f"{function} expects floating point dtypes, got: TensorOptions({options})")


def no_buffer() -> ValueError:
    return ValueError("object does not implement Python buffer protocol.")


def buffer_unreadable() -> RuntimeError:
    return RuntimeError("could not retrieve buffer from object")


def buffer_empty(length: int, count: int) -> ValueError:
    return ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")


def buffer_offset(offset: int, length: int) -> ValueError:
    return ValueError(
        f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
    )


def buffer_remainder(left: int, offset: int, size: int) -> ValueError:
    return ValueError(
        f"buffer length ({left} bytes) after offset ({offset} bytes) must be a multiple of element size ({size})"
    )


def buffer_short(count: int, size: int, offset: int, length: int) -> ValueError:
    return ValueError(
        f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must not be greater than "
        f"actual buffer length ({length} bytes)"
    )


def warn_buffer_read_only() -> None:
    warn(
        UserWarning,
        "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write "
        "to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to "
        "protect its data or make it writable before converting it to a tensor. This type of warning will be "
        "suppressed for the rest of this program.",
        once="buffer_read_only",
    )


def dlpack_requires_grad() -> BufferError:
    return BufferError("Can't export tensors that require gradient, use tensor.detach()")


def dlpack_capsule() -> RuntimeError:
    return RuntimeError(
        "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might "
        "have already constructed a tensor from it once."
    )
