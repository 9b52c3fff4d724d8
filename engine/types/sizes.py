"""Shapes as PyTorch shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex, overload

from engine import errors


class Size(tuple[int, ...]):
    """A shape: a tuple of ints that prints as ``torch.Size([2, 3])`` and stays a Size under ``+``, ``*`` and slices."""

    __module__ = "torch"
    __slots__ = ()

    def __new__(cls, items: Iterable[Any] = ()) -> Size:
        checked = []
        for index, item in enumerate(items):
            if isinstance(item, float | str) or not hasattr(item, "__index__"):
                raise errors.size_item_type(index, item)
            checked.append(item.__index__())
        return tuple.__new__(cls, checked)

    def numel(self) -> int:
        """Number of elements of a tensor of this size."""
        count = 1
        for extent in self:
            count *= extent
        return count

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> Size: ...
    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return size(found) if type(found) is tuple else found

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            raise errors.size_concatenated(other)
        return size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            return NotImplemented
        return size(other + tuple(self))

    def __mul__(self, times: SupportsIndex) -> Size:
        return size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Size, (tuple(self),)


def size(shape: tuple[int, ...]) -> Size:
    """A Size from a shape known to consist of ints, unchecked: ``size(array.shape)``."""
    return tuple.__new__(Size, shape)
