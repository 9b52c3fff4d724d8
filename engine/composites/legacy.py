"""`torch.FloatTensor` and its kin, which make tensors as PyTorch did before `torch.tensor`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.composites.creation import allocate, check_device, checked_size, finished
from engine.composites.from_python import from_data
from engine.composites.storage import Storage, TypedStorage
from engine.core.registry import ops
from engine.core.tensor import Tensor, TensorMeta
from engine.signatures.native import check
from engine.types import dtypes


def legacy_tensor(dtype: dtypes.dtype, *args: Any, device: Any = None, **kwargs: Any) -> Tensor:
    """`torch.FloatTensor(2, 3)` (sizes), `FloatTensor([1, 2])` (data), `FloatTensor(tensor)` (an alias)."""
    if kwargs or len(args) > 1 and not isinstance(args[0], int):
        check("torch", "FloatTensor", args, kwargs)
        args = args or (kwargs.get("size", kwargs.get("data")),)
    if device is not None:
        check_device(device)
    kind = dtype.np
    if not args:
        return Tensor._from_array(np.zeros(0, kind))
    first = args[0]
    if isinstance(first, Tensor) and len(args) == 1:
        return ops.alias(first)
    if isinstance(first, Storage) and len(args) == 1:
        if isinstance(first, TypedStorage) and first.dtype is not dtype:
            raise errors.storage_type(_storage_name(dtype), _storage_name(first.dtype))
        return Tensor._from_array(first.elements(kind))
    if isinstance(first, dtypes.Size):
        shape = tuple(first)
    elif isinstance(first, int) and not isinstance(first, bool):
        shape = checked_size("new", args)
    else:
        if isinstance(first, str):
            raise errors.data_type(first)
        if not hasattr(first, "__len__") or isinstance(first, dict | set):
            raise errors.data_not_sequence(first)
        return finished(from_data(first, kind), False)
    allocate("new", shape, kind)
    return Tensor._from_array(np.zeros(shape, kind) if shape else kind.type(0))


def _storage_name(dtype: dtypes.dtype) -> str:
    return dtype.tensor_type.removeprefix("torch.").removesuffix("Tensor")


TensorMeta._factory = staticmethod(legacy_tensor)


def _of_type(dtype: dtypes.dtype, args: Any, kwargs: Any) -> Tensor:
    """`legacy_tensor` that takes no tensor of another dtype."""
    if len(args) == 1 and isinstance(args[0], Tensor) and args[0].dtype is not dtype:
        raise errors.legacy_type(_c_name(dtype), _c_name(args[0].dtype))
    return legacy_tensor(dtype, *args, **kwargs)


def _c_name(dtype: dtypes.dtype) -> str:
    return "long int" if dtype is dtypes.int64 else dtype.cpp_name


class TensorType(TensorMeta):
    """The type of `torch.FloatTensor`: calling it makes a tensor, `isinstance` asks for the dtype."""

    dtype: dtypes.dtype

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return _of_type(cls.dtype, args, kwargs)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and not instance.is_sparse and instance._array.dtype == cls.dtype.np

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__name__}'>"


TensorType.__name__ = TensorType.__qualname__ = "tensortype"
TensorType.__module__ = "torch"

TENSOR_TYPES: dict[str, TensorType] = {}
"""`FloatTensor`, `LongTensor` … by name."""

for _dtype in dtypes.ALL:
    if _dtype.available and _dtype.type_name[0] not in "U" and not _dtype.is_complex:
        _name = f"{_dtype.type_name}Tensor"
        TENSOR_TYPES[_name] = TensorType(_name, (), {"dtype": _dtype, "__module__": "torch"})
        public("torch", _name)(TENSOR_TYPES[_name])


class CudaType(TensorMeta):
    """The type of `torch.cuda.FloatTensor`: nothing is of it, and calling it is refused."""

    dtype: dtypes.dtype
    is_cuda = True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise errors.no_cuda_type(cls.__name__)

    def __instancecheck__(cls, instance: Any) -> bool:
        return False

    def __repr__(cls) -> str:
        return f"<class 'torch.cuda.{cls.__name__}'>"


CudaType.__name__ = CudaType.__qualname__ = "tensortype"
CudaType.__module__ = "torch"

CUDA_TYPES: dict[str, CudaType] = {
    name: CudaType(name, (), {"dtype": kind.dtype, "__module__": "torch.cuda"}) for name, kind in TENSOR_TYPES.items()
}
"""The types of tensors on a graphics card, by the same names."""


@public("torch")
def set_default_tensor_type(t: Any) -> None:
    """`set_default_dtype` with the name of a tensor type or the type."""
    errors.warn_default_tensor_type()
    name = t if isinstance(t, str) else str(getattr(t, "__name__", ""))
    if isinstance(t, CudaType) or name.startswith("torch.cuda."):
        raise errors.no_cuda_type(name.removeprefix("torch.cuda."))
    dtypes.set_default(dtypes.parse(t) if isinstance(t, str) else getattr(t, "dtype", t))


@public("method", "new")
def new_method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """`torch.FloatTensor(…)` of this tensor's type."""
    return _of_type(self.dtype, args, kwargs)
