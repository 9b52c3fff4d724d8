"""The memory of tensors as an object of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine import errors
from engine.core.state import state
from engine.core.tensor import Tensor, announce_write, report_write
from engine.core.views import share
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import address


def pointer(array: np.ndarray[Any, Any]) -> int:
    """What programs are told of `address`: equal and apart as addresses are, and the same in every process.

    0 where there are no elements, as in PyTorch.
    """
    if not array.size:
        return 0
    owner: Any = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return (state.identify(owner) << 28) + address(array) - address(owner)


class Storage:
    """The memory of a tensor; programs meet the derived classes."""

    __module__ = "torch"

    def __init__(self, tensor: Tensor, itemsize: int) -> None:
        root = share(tensor)
        while isinstance(root.base, np.ndarray):
            root = root.base
        self._root = root
        self._itemsize = itemsize

    @property
    def memory(self) -> Any:
        """What tensors that share memory have the same of."""
        return self._root

    def size(self) -> int:
        """Number of elements; bytes of an untyped storage."""
        return int(self._root.nbytes // self._itemsize)

    __len__ = size

    def nbytes(self) -> int:
        """Number of bytes."""
        return int(self._root.nbytes)

    def data_ptr(self) -> int:
        """The address of the memory."""
        return pointer(self._root)

    def element_size(self) -> int:
        """Bytes of an element."""
        return self._itemsize

    @property
    def device(self) -> dtypes.device:
        return dtypes.device("cpu")

    @property
    def is_cuda(self) -> bool:
        return False

    def is_shared(self) -> bool:
        """Whether other processes see the memory, which none does here."""
        return False

    def tolist(self) -> list[Any]:
        """The elements in order of memory; bytes of an untyped storage."""
        return list(self._elements().tolist())

    def _elements(self) -> Any:
        flat = self._root.reshape(-1, order="A")
        return flat.view(np.uint8) if isinstance(self, UntypedStorage) else flat

    def elements(self, dtype: Any) -> Any:
        """The memory as one array of elements of a type."""
        return self._root.reshape(-1, order="A").view(dtype)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise errors.untyped_storage_slice() if isinstance(self, UntypedStorage) else errors.storage_slice()
        if not isinstance(index, int):
            if isinstance(self, UntypedStorage):
                raise errors.untyped_storage_index_type(index)
            raise errors.storage_index_type(index)
        size = self.size()
        if not -size <= index < size:
            raise errors.storage_index(index, size)
        return self._elements()[index].item()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def _described(self) -> str:
        return f"device={self.device}"

    def __repr__(self) -> str:
        values = self.tolist()
        shown = f"[torch.storage.{type(self).__qualname__}({self._described()}) of size {len(values)}]"
        return " " + "\n ".join(map(str, values)) + "\n" + shown

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Storage) and self.data_ptr() == other.data_ptr()

    def __hash__(self) -> int:
        return hash(self.data_ptr())


class UntypedStorage(Storage):
    """`untyped_storage()`: bytes."""

    __module__ = "torch.storage"

    def type(self) -> str:
        """Its name."""
        return "torch.storage.UntypedStorage"


class TypedStorage(Storage):
    """`storage()`: elements of the tensor's type."""

    __module__ = "torch.storage"

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor, tensor._array.itemsize)
        self._tensor = tensor

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self._root.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write to the memory of all tensors that share it, past their graphs and versions."""
        if not isinstance(index, int | slice):
            raise errors.storage_index_type(index)
        size = self.size()
        if isinstance(index, int) and not -size <= index < size:
            raise errors.index_out_of_bounds(index, 0, size)
        if isinstance(value, Tensor):
            value = value._array
        elif not isinstance(value, int | float | complex | np.ndarray | np.generic):
            raise errors.assigned_type(value, self.dtype.tensor_type)
        meter.charge(size >> 10)
        announce_write(self._tensor)
        flat = self._elements()
        flat[index] = np.asarray(value).astype(flat.dtype)
        report_write(self._tensor)

    def fill_(self, value: Any) -> TypedStorage:
        """All elements one number."""
        self[:] = value
        return self

    def clone(self) -> TypedStorage:
        """A copy of the memory."""
        meter.allocate(self.size(), self._itemsize)
        return TypedStorage(Tensor._from_array(self._elements().copy()))

    def _described(self) -> str:
        return f"dtype={self.dtype}, device={self.device}"

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes."""
        return UntypedStorage(self._tensor, 1)

    def type(self) -> str:
        """Its name, by the type of its elements."""
        return self.dtype.tensor_type.replace("Tensor", "Storage")
