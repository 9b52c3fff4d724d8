"""Arguments of functions: wrong types, counts and names; attributes that do not exist."""

from __future__ import annotations

from pathlib import Path
from types import MethodType


def type_name(value: object) -> str:
    """The name of a value's type as C code words it: types that are written in C themselves say where they are from."""
    kind = type(value)
    if kind is MethodType and type(value.__self__).__module__ == "torch":  # type: ignore[attr-defined]
        if "." not in value.__func__.__qualname__:  # type: ignore[attr-defined]
            return "builtin_function_or_method"
    module = kind.__module__
    if module not in _WRITTEN_IN_C or kind.__name__ == "Tensor" or "." in kind.__name__:
        return kind.__name__
    return f"{module}.{kind.__name__}"


_WRITTEN_IN_C = frozenset({"numpy", "torch", "torch._C", "torch.return_types", "collections"})


def no_attribute(owner: str, name: str) -> AttributeError:
    """``owner`` is the text before ``has no attribute``, e.g. ``'Tensor' object``."""
    return AttributeError(f"{owner} has no attribute '{name}'")


def argument_type(function: str, argument: str, position: int, expected: str, got: object) -> TypeError:
    """An argument of the wrong type; ``expected`` as PyTorch spells it (``Tensor``, ``torch.dtype``, ``int`` …)."""
    return TypeError(
        f"{function}(): argument '{argument}' (position {position}) must be {expected}, not {type_name(got)}"
    )


def unpacked(count: int, wanted: int) -> ValueError:
    """Python's words for a sequence of another length than there are names for."""
    if count > wanted:
        return ValueError(f"too many values to unpack (expected {wanted})")
    return ValueError(f"not enough values to unpack (expected {wanted}, got {count})")


def cannot_create(class_name: str) -> TypeError:
    return TypeError(f"cannot create '{class_name}' instances")


def string_modulo() -> TypeError:
    """A string where a number is divided: Python would format it, to any length that it asks for."""
    return TypeError("not all arguments converted during string formatting")


def integer_too_big() -> OverflowError:
    return OverflowError("int too big to convert")


def unsupported_format(class_name: str) -> TypeError:
    return TypeError(f"unsupported format string passed to {class_name}.__format__")


def precision_out_of_range(largest: int) -> ValueError:
    """Not PyTorch's: it would try."""
    return ValueError(f"precision must be between 0 and {largest}")


def not_implemented_for(kernel: str, type_name: str) -> NotImplementedError:
    """A kernel of PyTorch without a version for the dtype."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{type_name}'")


def refused_kind(text: str, *, implemented: bool) -> Exception:
    """An op that does not take elements of some kind, in words of its own."""
    return RuntimeError(text) if implemented else NotImplementedError(text)


def negative_integer() -> OverflowError:
    """A negative Python int where PyTorch takes an unsigned C integer of 64 bits."""
    return OverflowError("can't convert negative int to unsigned")


def integer_overflow() -> ValueError:
    """A Python int beyond 64 bits where PyTorch takes a C integer."""
    return ValueError("Overflow when unpacking long long")


def unworded_check(condition: str) -> RuntimeError:
    """A check of PyTorch's that says no more than what it checked, as C++ has it."""
    return RuntimeError(
        f"Expected {condition} to be true, but got false.  (Could this error message be improved?  If so, please "
        "report an enhancement request to PyTorch.)"
    )


def conversion_overflow(c_type: str) -> RuntimeError:
    """``c_type``: ``uint8_t``, ``float`` …"""
    return RuntimeError(f"value cannot be converted to type {c_type} without overflow")


def size_concatenated(value: object) -> TypeError:
    """``x.shape + [1]``."""
    return TypeError(f"can only concatenate tuple (not {type_name(value)}) to torch.Size")


def expected_tensors(op: str, value: object) -> TypeError:
    return TypeError(f"{op}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type_name(value)}")


def expected_number(value: object) -> TypeError:
    return TypeError(f"argument must be Tensor or Number, not {type_name(value)}")


def not_a_python_scalar() -> TypeError:
    """``torch.tensor([array])``: numpy's words, which PyTorch passes on."""
    return TypeError("only 0-dimensional arrays can be converted to Python scalars")


def not_a_scalar(elements: int) -> RuntimeError:
    return RuntimeError(f"a Tensor with {elements} elements cannot be converted to Scalar")


def too_many_arguments(op: str, most: int, got: int) -> TypeError:
    return TypeError(f"{op}() takes {most} positional arguments but {got} were given")


def unexpected_keyword(op: str, keyword: str) -> TypeError:
    return TypeError(f"{op}() got an unexpected keyword argument '{keyword}'")


def missing_argument(op: str, name: str) -> TypeError:
    return TypeError(f"{op}() missing 1 required positional argument: '{name}'")


def _torch_names() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "names.txt").read_text().splitlines()
    return {space: frozenset(names.split()) for space, _, names in (line.partition(":") for line in lines)}


TORCH_NAMES = _torch_names()
"""The public names of PyTorch's namespaces. Read at once: a locked-down process opens no files later."""


def module_attribute(module: str, name: str) -> AttributeError | NotImplementedError:
    """``torch.foo``: a name that PyTorch does not have, or one that Backlight does not have yet."""
    if name in TORCH_NAMES.get(module, ()):
        return NotImplementedError(f"{module}.{name} is not available in Backlight yet")
    return AttributeError(f"module '{module}' has no attribute '{name}'")


def type_attribute(class_name: str, name: str) -> AttributeError:
    """``C.foo``."""
    return AttributeError(f"type object '{class_name}' has no attribute '{name}'")


def object_attribute(class_name: str, name: str) -> AttributeError:
    """``x.foo``."""
    return AttributeError(f"'{class_name}' object has no attribute '{name}'")


def keyword_type(function: str, argument: str, expected: str, got: object) -> TypeError:
    """As :func:`argument_type` for an argument given by name."""
    return TypeError(f"{function}(): argument '{argument}' must be {expected}, not {type_name(got)}")

