"""Making tensors: data, dtypes, sizes and devices; and getting Python values out of them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name


def linspace_complex(function: str, inferred: str, passed: str) -> RuntimeError:
    return RuntimeError(
        f"torch.{function}(): inferred dtype {inferred} can't be safely cast to passed dtype {passed}"
    )


def scalar_not_integral() -> RuntimeError:
    return RuntimeError(
        "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error message be improved?  If so, "
        "please report an enhancement request to PyTorch.)"
    )


def asarray_alias() -> ValueError:
    return ValueError("can't alias arbitrary sequence into a tensor.")


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
    return TypeError(f"torch.Size() takes an iterable of 'int' (item {index} is '{type_name(item)}')")


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


def device_type_string(value: object) -> ValueError:
    """`torch.amp.custom_fwd` and `autocast`."""
    return ValueError(f"Expected `device_type` of type `str`, got: `{type(value)}`")


def device_string_empty() -> RuntimeError:
    return RuntimeError("Device string must not be empty")


def device_argument(got: object) -> TypeError:
    name = type_name(got)
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
    return RuntimeError(f"Trying to create tensor with negative dimension {extent}: {[int(n) for n in shape]}")


# --- data


def sequence_length(expected: int, dim: int, got: int) -> ValueError:
    """``torch.tensor([[1, 2], [3]])``."""
    return ValueError(f"expected sequence of length {expected} at dim {dim} (got {got})")


def dtype_not_inferred(value: object) -> RuntimeError:
    return RuntimeError(f"Could not infer dtype of {type_name(value)}")


def not_of_dtype(value: object, real: bool) -> TypeError:
    """``torch.tensor(None, dtype=…)``; ``real``: of a floating point or complex dtype."""
    name = type_name(value)
    if real:
        return TypeError(f"must be real number, not {name}")
    return TypeError(f"'{name}' object cannot be interpreted as an integer")


def data_type(value: object) -> TypeError:
    """``torch.tensor('a')``."""
    return TypeError(f"new(): invalid data type '{type_name(value)}'")


def string_dimensions() -> ValueError:
    """``torch.tensor(['a'])``."""
    return ValueError("too many dimensions 'str'")


def data_not_sequence(value: object) -> TypeError:
    """``torch.FloatTensor(2.5)``."""
    return TypeError(f"new(): data must be a sequence (got {type_name(value)})")


def not_an_array(value: object) -> TypeError:
    """``torch.from_numpy``."""
    return TypeError(f"expected np.ndarray (got {type_name(value)})")


def size_item(function: str, position: int, item: object) -> TypeError:
    """``torch.ones([2, 'a'])``; ``position``: counted from 1."""
    return TypeError(
        f"{function}(): argument 'size' failed to unpack the object at pos {position} with error \"type must be tuple "
        f"of ints,but got {type_name(item)}\""
    )


def arange_sign() -> RuntimeError:
    return RuntimeError("upper bound and lower bound inconsistent with step sign")


def negative_extent(argument: str, value: int) -> RuntimeError:
    return RuntimeError(f"{argument} must be non-negative, got{value}")


def arange_step() -> RuntimeError:
    return RuntimeError("step must be nonzero")


def linspace_steps() -> RuntimeError:
    return RuntimeError("number of steps must be non-negative")


def eye_size(extent: int, letter: str) -> RuntimeError:
    return RuntimeError(f"{letter} must be greater or equal to 0, got {extent}")


def no_cuda() -> AssertionError:
    """Anything put on a CUDA device."""
    return AssertionError("Torch not compiled with CUDA enabled")


def no_cuda_type(name: str) -> TypeError:
    """``torch.cuda.FloatTensor(2)``."""
    return TypeError(f"type torch.cuda.{name} not available. Torch not compiled with CUDA enabled.")


def no_cuda_library() -> RuntimeError:
    """``tensor.type(torch.cuda.FloatTensor)``."""
    return RuntimeError(
        "Cannot initialize CUDA without ATen_cuda library. PyTorch splits its backend into two shared libraries: a CPU"
        " library and a CUDA library; this error has occurred because you are trying to use some CUDA functionality,"
        " but the CUDA library has not been loaded by the dynamic linker for some reason.  The CUDA library MUST be"
        " loaded, EVEN IF you don't directly use any symbols from the CUDA library! One common culprit is a lack of"
        " -Wl,--no-as-needed in your link arguments; many dynamic linkers will delete dynamic library dependencies if"
        " you don't depend on any of their symbols.  You can check if this has occurred by using ldd on your binary to"
        " see if there is a dependency on *_cuda.so library."
    )


def no_cuda_device() -> RuntimeError:
    """``with torch.cuda.device(0):``"""
    return RuntimeError("PyTorch was compiled without CUDA support")


def no_mps(name: str) -> RuntimeError:
    """``torch.mps.synchronize()``; ``name``: as Apple's libraries call it."""
    return RuntimeError(f"Cannot execute {name}() without MPS backend.")


def no_cuda_stream() -> RuntimeError:
    """``torch.cuda.Stream()``."""
    return RuntimeError("torch.cuda.Stream requires CUDA support")


def no_cuda_event() -> RuntimeError:
    """``torch.cuda.Event()``."""
    return RuntimeError("Tried to instantiate dummy base class Event")


def cuda_device_expected(device: object) -> ValueError:
    """``torch.cuda.device("cpu")``."""
    return ValueError(f"Expected a cuda device, but got: {device}")


def no_device(kind: str) -> Exception:
    """Anything put on another device than the CPU."""
    if kind in ("cuda", "xpu"):
        return AssertionError(f"Torch not compiled with {kind.upper()} enabled")
    if kind == "meta":
        return NotImplementedError(
            "Tensors on the meta device have no numbers, and are not available in Backlight: leave the device out, and"
            " take smaller sizes where what is built is too large"
        )
    return RuntimeError(f"PyTorch is not linked with support for {kind} devices")


def no_accelerator() -> RuntimeError:
    return RuntimeError("Cannot access accelerator device when none is available.")


def autocast_device(device: object) -> ValueError:
    return ValueError(f"Expected `device_type` of type `str`, got: `{type(device)}`")


def no_pinned_memory() -> RuntimeError:
    return RuntimeError(
        "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on this "
        "system."
    )


# --- Python values


def numpy_requires_grad() -> RuntimeError:
    return RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")


def not_one_element() -> ValueError:
    """``int(x)``, ``float(x)`` of many elements; ``x.item()`` is ``not_a_scalar``."""
    return ValueError("only one element tensors can be converted to Python scalars")


def not_an_index() -> TypeError:
    """A tensor where Python wants an index."""
    return TypeError("only integer tensors of a single element can be converted to an index")


def bool_ambiguous(elements: int) -> RuntimeError:
    many = "more than one value" if elements else "no values"
    return RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")


def len_of_scalar() -> TypeError:
    return TypeError("len() of a 0-d tensor")


def iteration_over_scalar() -> TypeError:
    return TypeError("iteration over a 0-d tensor")


def deepcopy_non_leaf() -> RuntimeError:
    return RuntimeError(
        "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If "
        "you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
        "https://github.com/pytorch/pytorch/pull/103001"
    )


def deepcopy_of_subclass() -> RuntimeError:
    """``copy.deepcopy`` of a tensor of a class whose ``new_empty`` makes others."""
    return RuntimeError(
        "The default implementation of __deepcopy__() for non-wrapper subclasses only works for subclass types that "
        "implement new_empty() and for which that function returns another instance of the same subclass. You should "
        "either properly implement new_empty() for your subclass or override __deepcopy__() if it is intended behavior "
        "for new_empty() to return an instance of a different type."
    )


def not_overridden(name: str, kinds: Sequence[type]) -> TypeError:
    """A function of Python that no ``__torch_function__`` implements."""
    shown = ", ".join(f"<class '{kind.__module__}.{kind.__qualname__}'>" for kind in kinds)
    return TypeError(f"no implementation found for '{name}' on types that implement __torch_function__: [{shown}]")


def multiple_dispatch(name: str, mode: str | None, kinds: Sequence[type]) -> TypeError:
    """The same of a function that is written in C."""
    asked = [mode] if mode else []
    asked += [f"tensor subclass <class '{kind.__module__}.{kind.__qualname__}'>" for kind in kinds]
    shown = "".join(f"  - {one}\n" for one in asked)
    return TypeError(
        f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:\n\n{shown}\n"
        "For more information, try re-running with TORCH_LOGS=not_implemented"
    )


def subclass_integer() -> RuntimeError:
    """``Tensor._make_subclass(cls, integers, True)``."""
    return RuntimeError("Only Tensors of floating point and complex dtype can require gradients")


def wrapper_subclass() -> NotImplementedError:
    """``Tensor._make_wrapper_subclass(…)``, which only ``__torch_dispatch__`` can give a value."""
    return NotImplementedError(
        "torch.Tensor._make_wrapper_subclass is not available in Backlight yet: use torch.Tensor._make_subclass"
    )


def storage_index(index: int, size: int) -> IndexError:
    """``x.storage()[100]``."""
    return IndexError(f"index {index} out of range for storage of size {size}")


def storage_index_type(untyped: bool, index: object) -> Exception:
    """``x.untyped_storage()['a']``."""
    if untyped:
        return TypeError(f"can't index a torch.UntypedStorage with {type_name(index)}")
    return RuntimeError(f"can't index a <class 'torch.storage.TypedStorage'> with {type(index)}")


def storage_type(wanted: str, got: str) -> RuntimeError:
    """``torch.LongTensor(float_tensor.storage())``."""
    return RuntimeError(
        f"Expected a Storage of type {wanted} or an UntypedStorage, but got type {got} for argument 1 'storage'"
    )


def storage_slice(untyped: bool) -> RuntimeError:
    """``x.storage()[1:]``."""
    if untyped:
        return NotImplementedError("Slices of a torch.UntypedStorage are not available in Backlight yet")
    return RuntimeError("slices are only supported in UntypedStorage.__getitem__")


def subclass_not_a_type(cls: object) -> TypeError:
    """``x.as_subclass(5)``."""
    return TypeError(f"cls must be a type (got {type_name(cls)})")


def subclass_of_no_tensor() -> TypeError:
    """``x.as_subclass(int)``."""
    return TypeError(
        "Creating a Tensor subclass from a class that does not inherit from Tensor is not possible. Make sure your "
        "class inherits from Tensor."
    )


def not_writable(attribute: str) -> AttributeError:
    """``x.grad_fn = …``."""
    return AttributeError(f"attribute '{attribute}' of 'torch._C.TensorBase' objects is not writable")


def data_deleted() -> RuntimeError:
    return RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")


def each_requires_grad(function: str) -> RuntimeError:
    """``apply_`` and ``map_``."""
    return RuntimeError(
        f"Can't call {function}() on Variable that requires grad. Use var.detach().{function}() instead."
    )


def unbound_without_tensor(method: str) -> TypeError:
    """``torch.Tensor.add()``."""
    return TypeError(f"unbound method TensorBase.{method}() needs an argument")


def unbound_of_other(method: str, got: object) -> TypeError:
    """``torch.Tensor.add('a', x)``."""
    name = type_name(got)
    return TypeError(f"descriptor '{method}' for 'torch._C.TensorBase' objects doesn't apply to a '{name}' object")


def unsupported_scalar_type(name: str) -> TypeError:
    return TypeError(f"Got unsupported ScalarType {name}")


def bytes_unavailable() -> NotImplementedError:
    return NotImplementedError("the bytes of torch.bfloat16 tensors are not available in Backlight")


def no_deletion() -> TypeError:
    return TypeError("Tensor does not support deleting items")
