"""`torch.nn.parameter`, and empty parameters for layers to fill."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.composites.creation import check_device
from engine.core.tensor import Parameter, Tensor, blank, constant
from engine.limits import meter
from engine.nn.loading import is_lazy
from engine.nn.module import Buffer
from engine.signatures.native import check
from engine.types import dtypes

__all__ = [
    "Buffer", "Parameter", "UninitializedBuffer", "UninitializedParameter", "UninitializedTensorMixin", "is_lazy",
]  # fmt: skip


def empty_parameter(*shape: Any, dtype: dtypes.dtype | None = None, device: Any = None) -> Parameter:
    """A parameter whose values a layer's `reset_parameters` writes: sizes, or one tuple of them. Raises TypeError."""
    size: Any = shape[0] if len(shape) == 1 else shape
    extents = size if isinstance(size, tuple | list) else (size,)
    for extent in extents:
        if type(extent) is int and extent < 0:
            check("torch", "empty", (size,), {"dtype": dtype})
            raise errors.negative_dimension(extent, tuple(extents))
    try:
        kind = (dtype or dtypes.get_default()).np
        if device is not None:
            check_device(device)
        meter.allocate(int(np.prod(size, dtype=object)), kind.itemsize)
        return Parameter(constant(np.zeros([int(n) if type(n) is bool else n for n in extents], kind)))
    except (AttributeError, RuntimeError, TypeError, ValueError, OverflowError):
        check("torch", "empty", (size,), {"dtype": dtype})
        raise


def register_empty(module: Any, name: str, wanted: Any, *shape: Any, dtype: Any, device: Any) -> None:
    """Give a module an `empty_parameter`, or None under its name where it is not wanted."""
    if wanted:
        setattr(module, name, empty_parameter(*shape, dtype=dtype, device=device))
    else:
        module.register_parameter(name, None)


class Held:
    """A parameter that a layer's class names, so that reading it need not fail before `__getattr__` finds it.

    An attribute that is set on the layer itself hides it, as it would hide a parameter.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, module: Any, owner: type) -> Any:
        if module is None:
            raise errors.type_attribute(owner.__name__, self.name)
        try:
            return module.__dict__["_parameters"][self.name]
        except KeyError:
            raise errors.object_attribute(owner.__name__, self.name) from None


def filled_buffer(value: float, *shape: int, dtype: dtypes.dtype | None = None) -> Tensor:
    """A buffer with one number everywhere; 0-d without a shape."""
    kind = (dtype or dtypes.get_default()).np
    try:
        return Tensor._from_array(np.full(shape, value, kind) if shape else kind.type(value))
    except (TypeError, ValueError, OverflowError):
        check("torch", "empty", (shape[0] if len(shape) == 1 else shape,), {})
        raise


class UninitializedTensorMixin:
    """A parameter or buffer whose shape is not known yet; `materialize(shape)` makes it one, keeping its identity."""

    __module__ = "torch.nn.parameter"
    cls_to_become: Any
    _array: Any

    @property
    def shape(self) -> Any:
        raise errors.uninitialized_shape()

    def materialize(self, shape: Any, device: Any = None, dtype: dtypes.dtype | None = None) -> None:
        """Take memory of this shape, with undefined values."""
        kind = self._array.dtype if dtype is None else dtype.np
        for extent in shape:
            if extent < 0:
                raise errors.negative_dimension(extent, tuple(shape))
        meter.allocate(int(np.prod(shape, dtype=object)), kind.itemsize)
        self._array = np.zeros(tuple(shape), kind)
        self.__class__ = self.cls_to_become

    def convert(self, fn: Any) -> None:
        """Change the type that it will have."""
        self._array = fn(constant(self._array))._array

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    __hash__ = Tensor.__hash__


class UninitializedParameter(UninitializedTensorMixin, Parameter):
    """A parameter without a shape (of lazy layers)."""

    __module__ = "torch.nn.parameter"
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: dtypes.dtype | None = None) -> Any:
        return Parameter.__new__(cls, constant(np.empty(0, (dtype or dtypes.get_default()).np)), requires_grad)

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> None:
        pass


class UninitializedBuffer(UninitializedTensorMixin, Tensor):
    """A buffer without a shape."""

    __module__ = "torch.nn.parameter"
    cls_to_become = Tensor

    def __new__(cls, requires_grad: bool = False, device: Any = None, dtype: dtypes.dtype | None = None) -> Any:
        t = blank(cls)
        t._array = np.empty(0, (dtype or dtypes.get_default()).np)
        return t

    def __init__(self, requires_grad: bool = False, device: Any = None, dtype: Any = None) -> None:
        pass


_ALLOWED = frozenset("copy_ double float half int is_complex is_floating_point long cpu to size requires_grad_".split())
"""What can be asked of a tensor without a shape."""
_OPERATORS = "add radd sub rsub mul rmul truediv rtruediv pow rpow matmul rmatmul neg getitem len lt gt le ge".split()


def _refuse_operations() -> None:
    """Every other method says that the tensor has no shape; called when all methods are there."""

    def refusing(name: str) -> Any:
        def refused(self: Any, *args: Any, **kwargs: Any) -> Any:
            raise errors.uninitialized(f"<method '{name}' of 'torch._C.TensorBase' objects>")

        return refused

    for name in dir(Tensor):
        if not name.startswith("_") and name not in _ALLOWED and callable(getattr(Tensor, name)):
            if name not in vars(UninitializedTensorMixin):
                setattr(UninitializedTensorMixin, name, refusing(name))
    for name in _OPERATORS:
        setattr(UninitializedTensorMixin, f"__{name}__", refusing(name.removeprefix("r") if name[0] == "r" else name))


_refuse_operations()
