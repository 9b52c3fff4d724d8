"""Optimizers, and numbers that left the graph: kept by recorders from first to last, recorded or not, up to a limit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from .limits import EXITS, OPTIMIZERS, PARAMETERS, USES, class_name
from .numbers import plain

Tensor = TypeVar("Tensor")
Place = TypeVar("Place")


class Use(NamedTuple, Generic[Place]):
    """A call of an optimizer: step or zero_grad, the passes begun by then, and the learning rate of a step."""

    what: str
    place: Place | None
    passes: int
    lr: float | None

    def row(self) -> dict[str, Any]:
        """What a document says of it, but for its place."""
        lr = {} if self.lr is None else {"lr": plain(self.lr)}
        return {"what": self.what, "passes": self.passes, **lr}


@dataclass(slots=True, eq=False)
class Optimized(Generic[Tensor, Place]):
    """An optimizer, its parameters when it was made, and the calls of it."""

    optimizer: Any
    kind: str
    place: Place | None
    tensors: list[Tensor]
    uses: list[Use[Place]] = field(default_factory=list)


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
            known = Optimized(optimizer, class_name(type(optimizer)), place if given else None, [])
            self.found[id(optimizer)] = known
        if given or not known.tensors:
            held = [t for group in optimizer.param_groups for t in group["params"] if isinstance(t, self._tensor)]
            known.tensors = held[:PARAMETERS]
        if not given and len(known.uses) < USES:
            known.uses.append(Use(what, place, passes, learning_rate(optimizer) if what == "step" else None))


def learning_rate(optimizer: Any) -> float | None:
    """The learning rate of all parameters; None where groups have others, or where it is no plain number."""
    rates = {group.get("lr") for group in optimizer.param_groups}
    rate = rates.pop() if len(rates) == 1 else None
    return float(rate) if isinstance(rate, int | float) else None


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
