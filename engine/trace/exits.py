"""Numbers that left the graph: `item()`, `tolist()`, `numpy()` and copies of tensors that have a history."""

from __future__ import annotations

from engine.core.state import Position
from engine.core.tensor import Tensor
from engine.document.limits import EXITS


class Exits:
    """Told of tensors that require grad, or were detached from one, when their numbers are taken out."""

    __slots__ = ("_seen", "found")

    def __init__(self) -> None:
        self.found: list[tuple[Tensor, str, Position | None]] = []
        self._seen: set[tuple[int, Position | None]] = set()

    def tell(self, tensor: Tensor, how: str, position: Position | None) -> None:
        """`how`: item, tolist, numpy or tensor (a copy by `torch.tensor`)."""
        key = id(tensor), position
        if len(self.found) < EXITS and key not in self._seen:
            self._seen.add(key)
            self.found.append((tensor, how, position))
