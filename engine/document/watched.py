"""Optimizers, and numbers that left the graph: kept by recorders from first to last, recorded or not, up to a limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .limits import EXITS, OPTIMIZERS, PARAMETERS, USES

Tensor = TypeVar("Tensor")
Place = TypeVar("Place")


@dataclass(slots=True, eq=False)
class Optimized(Generic[Tensor, Place]):
    """An optimizer: its parameters when it was made, and (what, place, passes begun by then) of each call."""

    optimizer: Any
    kind: str
    place: Place | None
    tensors: list[Tensor]
    uses: list[tuple[str, Place | None, int]] = field(default_factory=list)


class Optimizers(Generic[Tensor, Place]):
    """The optimizers of a run, by identity, in the order in which they are met."""

    __slots__ = ("_tensor", "found")

    def __init__(self, tensor: type[Tensor]) -> None:
        self.found: dict[int, Optimized[Tensor, Place]] = {}
        self._tensor = tensor

    def tell(self, optimizer: Any, what: str, place: Place | None, passes: int) -> None:
        """`what`: made, added (parameters), step or zero_grad; `passes`: how many backward passes there were."""
        known, given = self.found.get(id(optimizer)), what in ("made", "added")
        if known is None:
            if len(self.found) >= OPTIMIZERS:
                return
            # One that was made before the recording began, or by copying, is met at its first use.
            known = Optimized(optimizer, type(optimizer).__name__, place if given else None, [])
            self.found[id(optimizer)] = known
        if given or not known.tensors:
            held = [t for group in optimizer.param_groups for t in group["params"] if isinstance(t, self._tensor)]
            known.tensors = held[:PARAMETERS]
        if not given and len(known.uses) < USES:
            known.uses.append((what, place, passes))


class Exits(Generic[Tensor, Place]):
    """Where numbers left the graph: `item()`, `tolist()`, `numpy()` and copies of tensors that have a history."""

    __slots__ = ("_seen", "found")

    def __init__(self) -> None:
        self.found: list[tuple[Tensor, str, Place | None]] = []
        self._seen: set[tuple[int, Place | None]] = set()

    @property
    def full(self) -> bool:
        return len(self.found) >= EXITS

    def tell(self, tensor: Tensor, how: str, place: Place | None) -> None:
        """`how`: item, tolist, numpy or tensor (a copy by `torch.tensor`). Each tensor counts once at each place."""
        key = id(tensor), place
        if not self.full and key not in self._seen:
            self._seen.add(key)
            self.found.append((tensor, how, place))
