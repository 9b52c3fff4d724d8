"""A tensor in Python: numbers, lists, arrays and back, `len`, `bool`, `in`; other types; sizes and strides."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import TORCH, public
from engine.composites.creation import check_device, numpy_dtype
from engine.composites.legacy import CUDA_TYPES, TENSOR_TYPES
from engine.composites.storage import pointer
from engine.core.node import VersionCounter
from engine.core.registry import GRAPH, ops
from engine.core.state import state
from engine.core.tensor import Parameter, Tensor, announce_write, blank, constant, report_write
from engine.core.views import geometry, share
from engine.kernels.shape import in_format, of_its_rank, suggests
from engine.limits import meter
from engine.ops.complexes import is_conjugate
from engine.signatures.native import check
from engine.types import dtypes
from engine.types.shapes import address, contiguous_strides, integer, root, wrap_dim


def _refuse_entry(t: Tensor, error: Callable[[], Exception]) -> None:
    """Raise for an entry of a `vmap`, which has no number of its own; another inside a further transform."""
    if t._batch is not None:
        raise errors.vmap_either() if state.transforms[-1].differentiates else error()


@public("method")
def item(self: Tensor) -> Any:
    """The number in a tensor of one element."""
    a = self._array
    if a.size != 1:
        raise errors.not_a_scalar(a.size)
    _refuse_entry(self, errors.vmap_item)
    if state.observer is not None and (self._requires_grad or self._cut is not None):
        state.observer.left(self, "item")
    return a.item()


@public("method")
def apply_(self: Tensor, callable: Any) -> Tensor:
    """Replace every element by what `callable` makes of it. TypeError for tensors that require grad."""
    return _each(self, callable, "apply_")


def _whole(value: Any) -> int:
    return int(value) if isinstance(value, float) else operator.index(value)


@public("method")
def map_(self: Tensor, tensor: Tensor, callable: Any) -> Tensor:
    """The same for pairs of elements of two tensors."""
    return _each(self, callable, "map_", tensor)


def _each(self: Tensor, function: Any, name: str, *others: Tensor) -> Tensor:
    if any(t.requires_grad for t in (self, *others)):
        raise errors.each_requires_grad(name)
    columns = [np.broadcast_to(t._array, self._array.shape).reshape(-1).tolist() for t in (self, *others)]
    meter.charge(self._array.size)
    read = {"f": float, "c": complex, "b": bool}.get(self._array.dtype.kind, _whole)
    found = np.array([read(function(*row)) for row in zip(*columns, strict=True)], dtype=self._array.dtype)
    announce_write(self)
    share(self)[...] = found.reshape(self._array.shape)  # PyTorch does not count this write
    report_write(self)
    return self


@public("method")
def tolist(self: Tensor) -> Any:
    """Nested lists of numbers; a number for a 0-d tensor."""
    _refuse_entry(self, errors.no_storage)
    if self.is_sparse:
        raise errors.no_storage()
    rows = math.prod(self._array.shape[:-1])
    meter.charge(max(self._array.size, rows) >> 3)
    if state.observer is not None and (self._requires_grad or self._cut is not None):
        state.observer.left(self, "tolist")
    return self._array.tolist()


@public("method")
def numpy(self: Tensor, *, force: bool = False) -> Any:
    """An array on the same memory."""
    _refuse_entry(self, errors.no_storage)
    if self.is_sparse:
        raise errors.sparse_numpy()
    if state.grad and self.requires_grad and not force:
        raise errors.numpy_requires_grad()
    if self._array.dtype.char == "E":
        raise errors.unsupported_scalar_type("BFloat16")
    if self._array.dtype.kind == "c" and is_conjugate(self) and not force:
        raise errors.numpy_of_conjugate()
    if state.observer is not None and (self._requires_grad or self._cut is not None):
        state.observer.left(self, "numpy")
    array = share(self)
    state.exposed(array)
    return array[...]


def _array(self: Tensor, dtype: Any = None) -> Any:
    array = numpy(self)
    return array if dtype is None else array.astype(dtype, copy=False)


def _array_wrap(self: Tensor, array: Any) -> Any:
    """What numpy's functions of tensors give."""
    return TORCH["from_numpy"](array.astype(np.uint8) if array.dtype == bool else array)


def _single(self: Tensor) -> Any:
    if self._array.size != 1:
        raise errors.not_one_element()
    _refuse_entry(self, errors.vmap_item)
    if state.grad and self.requires_grad:
        errors.warn_scalar_of_grad()
    if state.observer is not None and (self._requires_grad or self._cut is not None):
        state.observer.left(self, "item")
    return self._array.item()


def _real(self: Tensor, kind: str) -> Any:
    value = _single(self)
    if isinstance(value, complex) and value.imag:
        raise errors.conversion_overflow(kind)
    return value.real


def _float(self: Tensor) -> float:
    return float(_real(self, "double"))


def _int(self: Tensor) -> int:
    return int(_real(self, "int64_t"))


def _complex(self: Tensor) -> complex:
    return complex(_single(self))


def _index(self: Tensor) -> int:
    a = self._array
    if a.size != 1 or a.dtype.kind not in "iub":
        raise errors.not_an_index()
    _refuse_entry(self, errors.vmap_item)
    return int(a.item())


def _bool(self: Tensor) -> bool:
    a = self._array
    if a.size != 1:
        raise errors.bool_ambiguous(a.size)
    _refuse_entry(self, errors.vmap_control_flow)
    return bool(a)


public("method torch", "is_nonzero")(_bool)


def _len(self: Tensor) -> int:
    if not self._array.ndim:
        raise errors.len_of_scalar()
    return int(self._array.shape[0])


def _iter(self: Tensor) -> Iterator[Tensor]:
    if not self._array.ndim:
        raise errors.iteration_over_scalar()
    if self.is_sparse:
        raise errors.sparse_unavailable("iteration")
    return iter(ops.unbind(self, 0))


def _reversed(self: Tensor) -> Tensor:
    return ops.flip(self, (0,)) if self._array.ndim else self


def _contains(self: Tensor, element: Any) -> bool:
    if isinstance(element, Tensor):
        return bool((self._array == element._array).any())
    if isinstance(element, int | float | complex):
        return bool((self._array == element).any())
    raise errors.contains_type(element)


def _copy(self: Tensor) -> Tensor:
    """`copy.copy`: a leaf on the same memory, which knows nothing of writes made elsewhere."""
    t = blank(type(self))
    t._array, t._requires_grad = share(self), self.requires_grad
    t._version_counter = VersionCounter(0 if issubclass(type(self), Parameter) else 1)
    for name, value in self.__dict__.items():
        if not hasattr(Tensor, name):
            t.__dict__[name] = value
    if state.watched and state.observer is not None:
        state.observer.create(t)
    return t


def _has_constructor(kind: type) -> bool:
    """Whether a class has a `__new__` that is not PyTorch's."""
    owner = next(base for base in kind.__mro__ if "__new__" in base.__dict__)
    return not owner.__module__.startswith("torch")


def _deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    identity = state.identify(self)
    known: Tensor | None = memo.get(identity)
    if known is not None:
        return known
    if not self.is_leaf:
        raise errors.deepcopy_non_leaf()
    if not self.is_sparse:
        meter.allocate(self._array.size, self._array.itemsize)
    if issubclass(type(self), Parameter) and _has_constructor(type(self)):
        made: Tensor = type(self)(Tensor._from_array(ops.clone(self._array)), self._requires_grad)
        memo[identity] = made
        return made
    t = blank(type(self))
    t._array = ops.clone(self._array) if issubclass(type(self), Parameter) else _in_copied_memory(self, memo)
    t._requires_grad = self._requires_grad
    if state.watched and state.observer is not None:
        state.observer.create(t)
    memo[identity] = t
    if not issubclass(type(self), Parameter):  # of which a copy has neither in PyTorch
        if self._grad is not None:
            t._grad = _deepcopy(self._grad, memo)
        for name, value in [*self.__dict__.items()]:
            if not hasattr(Tensor, name):
                t.__dict__[name] = deepcopy(value, memo)
    return t


def _in_copied_memory(self: Tensor, memo: dict[int, Any]) -> Any:
    """The value in a copy of its whole memory, which views of the same memory share in their copies."""
    a = self._array
    if type(a) is not np.ndarray or not a.size:
        return ops.clone(a)
    owner = root(a)
    if not owner.flags.c_contiguous:
        return ops.clone(a)
    identity = state.identify(_owner(a))
    if identity not in memo:
        meter.allocate(owner.size, owner.itemsize)
        memo[identity] = constant(owner.copy())
    memory = memo[identity]._array
    return np.ndarray(a.shape, a.dtype, memory.reshape(-1), address(a) - address(owner), a.strides)


def _owner(array: Any) -> Any:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


for _name, _function in {
    "__array__": _array, "__array_wrap__": _array_wrap, "__float__": _float, "__int__": _int, "__complex__": _complex,
    "__index__": _index, "__bool__": _bool, "__len__": _len, "__iter__": _iter, "__reversed__": _reversed,
    "__contains__": _contains, "__copy__": _copy, "__deepcopy__": _deepcopy,
}.items():  # fmt: skip
    _function.__name__, _function.__qualname__ = _name, f"Tensor.{_name}"
    setattr(Tensor, _name, _function)


def cast(x: Tensor, dtype: Any, copy: bool = False, memory_format: Any = None) -> Tensor:
    """The tensor in another numpy dtype; itself when it has it already and no copy is asked for."""
    if x._array.dtype == dtype and not copy and (memory_format is None or suggests(x._array, memory_format)):
        return x
    if x._array.dtype.kind == "c" and dtype.kind not in "cb":
        errors.warn_complex_discarded()
    return (ops.to_dtype if dtype.kind in dtypes.INEXACT else ops.to_integer)(x, dtype, memory_format)


GRAPH["to_dtype"] = cast


def widened(x: Tensor) -> Tensor:
    """Numbers of 16 bits as float32, in which PyTorch computes some functions; others as they are."""
    return cast(x, np.dtype(np.float32)) if x.dtype in (dtypes.float16, dtypes.bfloat16) else x


_TO = frozenset({"device", "dtype", "non_blocking", "copy", "memory_format", "tensor"})


@public("method")
def to(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`to(dtype)`, `to(device)`, `to(device, dtype)`, `to(other)`: converted, or itself when nothing changes."""
    dtype: Any = kwargs.get("dtype")
    device: Any = kwargs.get("device")
    copy = kwargs.get("copy", False)
    if kwargs and not kwargs.keys() <= _TO:
        check("Tensor", "to", args, kwargs)
    rest = list(args)
    if rest:
        first = rest.pop(0)
        if isinstance(first, Tensor):
            dtype = first.dtype
        elif _is_dtype(first):
            dtype = first
        else:
            device = first
            if rest and (rest[0] is None or _is_dtype(rest[0])):
                dtype = rest.pop(0) or dtype
    if "tensor" in kwargs:
        dtype = kwargs["tensor"].dtype
    if rest:  # non_blocking, copy
        check("Tensor", "to", args, kwargs)
        copy = rest[1] if len(rest) > 1 else copy
    if device is not None:
        check_device(device)
    kind = self._array.dtype if dtype is None else numpy_dtype(dtype, "to")
    return cast(self, kind, copy, kwargs.get("memory_format"))


def _is_dtype(value: Any) -> bool:
    """Whether it is a dtype, or one of Python's types that stand for one."""
    return isinstance(value, dtypes.dtype) or (isinstance(value, type) and value in (float, int, bool, complex))


def _converter(dtype: dtypes.dtype) -> Any:
    def convert(self: Tensor, *, memory_format: Any = None) -> Tensor:
        return cast(self, dtype.np, memory_format=memory_format)

    convert.__doc__ = f"The tensor as {dtype}; itself when it is one."
    return convert


for _name, _dtype in {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "bfloat16": dtypes.bfloat16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8,
    "bool": dtypes.bool_, "cfloat": dtypes.complex64, "cdouble": dtypes.complex128, "chalf": dtypes.complex32,
}.items():  # fmt: skip
    public("method", _name)(_converter(_dtype))


def tensor_type(t: Tensor) -> str:
    """`torch.FloatTensor`, of a sparse one `torch.sparse.FloatTensor`."""
    name = t.dtype.tensor_type
    return name.replace("torch.", "torch.sparse.") if t.is_sparse else name


@public("method", "type")
def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False, *, memory_format: Any = None) -> Any:
    """The name of the tensor's type, or the tensor converted to another."""
    if dtype is None:
        return tensor_type(self)
    if isinstance(dtype, str):
        if not dtype.endswith("Tensor"):  # names of dtypes are no types of tensors
            raise errors.invalid_type_name(dtype)
        if dtype.startswith("torch.cuda."):
            raise errors.no_cuda_library()
        dtype = dtypes.parse(dtype)
    elif dtype in TENSOR_TYPES.values():
        dtype = dtype.dtype
    elif dtype in CUDA_TYPES.values():
        raise errors.no_cuda_library()
    elif isinstance(dtype, type):
        raise errors.invalid_type_name(dtype.__name__)
    elif not isinstance(dtype, dtypes.dtype):
        raise errors.type_argument()
    return cast(self, dtype.np)


@public("method")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """The tensor in the type of another."""
    return cast(self, other._array.dtype)


@public("method")
def cpu(self: Tensor, *, memory_format: Any = None) -> Tensor:
    """The tensor itself."""
    return self


@public("method")
def cuda(self: Tensor, device: Any = None, non_blocking: bool = False) -> Tensor:
    """Always raises: there is no CUDA device."""
    if device is not None:
        dtypes.device(device)
    raise errors.no_cuda()


@public("method")
def pin_memory(self: Tensor, device: Any = None) -> Tensor:
    """Always raises: there is no device to pin memory for."""
    raise errors.no_accelerator()


@public("method")
def is_pinned(self: Tensor, device: Any = None) -> bool:
    """False: no memory is pinned here."""
    return False


@public("method", "is_neg", "is_shared")
def is_neg(self: Tensor) -> bool:
    """False: negatives are computed at once, and there are no other processes."""
    return False


for _name in (
    "is_quantized", "is_meta", "is_mps", "is_xpu", "is_mkldnn", "is_nested", "is_vulkan", "is_sparse_csr", "is_xla",
    "is_ipu", "is_maia",
):  # fmt: skip
    setattr(Tensor, _name, property(lambda self: False))


@public("method")
def share_memory_(self: Tensor) -> Tensor:
    """The tensor itself: there are no other processes."""
    return self


@public("torch")
def detach(input: Tensor) -> Tensor:
    """`Tensor.detach` as a function."""
    return input.detach()


@public("method torch")
def get_device(self: Tensor) -> int:
    """-1, which means the CPU."""
    return -1


@public("method")
def is_floating_point(self: Tensor) -> bool:
    """Whether the dtype is a floating point one."""
    return bool(self._array.dtype.kind in dtypes.FLOATING)


@public("method")
def is_complex(self: Tensor) -> bool:
    """Whether the dtype is complex."""
    return bool(self._array.dtype.kind == "c")


@public("method")
def is_signed(self: Tensor) -> bool:
    """Whether the dtype has negative numbers."""
    return self.dtype.is_signed


@public("torch")
def result_type(tensor1: Any, tensor2: Any) -> dtypes.dtype:
    """The dtype that an operation on two tensors or numbers has."""
    for position, value in enumerate((tensor1, tensor2), 1):
        if not isinstance(value, Tensor | int | float | complex | np.generic):
            raise errors.argument_type("result_type", f"tensor{position}", position, "Tensor", value)
    return dtypes.result_type(*(x._array if isinstance(x, Tensor) else x for x in (tensor1, tensor2)))


@public("method")
def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or the extent of one dimension."""
    shape = self._array.shape
    if dim is None:
        return dtypes.size(shape)
    if not shape:
        raise errors.dim_of_no_dims(integer(dim))
    return shape[wrap_dim(dim, len(shape))]


def _ndim(self: Tensor) -> int:
    return int(self._array.ndim)


def _numel(self: Tensor) -> int:
    return int(self._array.size)


for _name in ("dim", "ndimension"):
    public("method", _name)(_ndim)
for _name in ("numel", "nelement"):
    public("method", _name)(_numel)


@public("method")
def element_size(self: Tensor) -> int:
    """Bytes per element."""
    return self.dtype.itemsize


@public("method")
def stride(self: Tensor, dim: int | None = None) -> Any:
    """Distances in memory between neighbours along each dimension, in elements."""
    a = self._array
    strides = tuple([s // a.itemsize for s in a.strides])
    if not all(a.shape) and not any(strides):  # numpy forgets how nothing lies
        strides = contiguous_strides(a.shape)
    return strides if dim is None else strides[wrap_dim(dim, len(strides))]


@public("method")
def storage_offset(self: Tensor) -> int:
    """Position of the first element in the memory that the tensor shares."""
    a = self._array
    return int(geometry(a)[2]) if isinstance(a, np.ndarray) else 0


@public("method")
def data_ptr(self: Tensor) -> int:
    """An address that tensors on the same memory share."""
    if self.is_sparse:
        raise errors.no_storage()
    return pointer(share(self))


@public("method")
def is_contiguous(self: Tensor, *, memory_format: Any = None) -> bool:
    """Whether the elements lie in memory in C order."""
    if memory_format is dtypes.preserve_format:
        memory_format = None
    if self.is_sparse:
        return False
    wanted = memory_format or dtypes.contiguous_format
    return of_its_rank(self._array, wanted) and in_format(self._array, wanted)


@public("method torch")
def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether the shapes are equal."""
    return bool(input._array.shape == other._array.shape)


@public("method")
def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether both are the same elements of the same memory."""
    return bool(share(self).__array_interface__ == share(tensor).__array_interface__)


@public("method")
def dim_order(self: Tensor) -> tuple[int, ...]:
    """The dimensions from the largest stride to the smallest."""
    strides = self._array.strides
    return tuple(sorted(range(len(strides)), key=lambda i: -strides[i]))


def _volatile(self: Tensor) -> bool:
    errors.warn_volatile_read()
    return False


for _name, _read in {"volatile": _volatile, "is_cpu": lambda self: True, "grad_dtype": lambda self: self.dtype}.items():
    setattr(Tensor, _name, property(_read))
