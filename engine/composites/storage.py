"""The memory of tensors as an object of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.core.views import share
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
    """The memory of a tensor: `untyped_storage()` and `storage()`."""

    __module__ = "torch"

    def __init__(self, tensor: Tensor, itemsize: int) -> None:
        if tensor._array.dtype.char == "g":
            raise errors.bytes_unavailable()
        root = share(tensor)
        while isinstance(root.base, np.ndarray):
            root = root.base
        self._root = root
        self._itemsize = itemsize

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

    def tolist(self) -> list[Any]:
        """The elements in order of memory; bytes of an untyped storage."""
        flat = self._root.reshape(-1, order="A")
        return list((flat.view(np.uint8) if self._itemsize == 1 else flat).tolist())

    def elements(self, dtype: Any) -> Any:
        """The memory as one array of elements of a type."""
        return self._root.reshape(-1, order="A").view(dtype)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Storage) and self.data_ptr() == other.data_ptr()

    def __hash__(self) -> int:
        return hash(self.data_ptr())
