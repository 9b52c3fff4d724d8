"""The log of optimizers: their parameters and the calls to them, in order, recorded or not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.core.state import Position
from engine.core.tensor import Tensor
from engine.document.limits import OPTIMIZERS, PARAMETERS, USES

if TYPE_CHECKING:
    from engine.optim.optimizer import Optimizer


@dataclass(slots=True, eq=False)
class Optimized:
    """An optimizer: the tensors it was made for, and (what, position, passes begun by then) of each call."""

    kind: str
    optimizer: Optimizer
    position: Position | None
    tensors: list[Tensor]
    uses: list[tuple[str, Position | None, int]] = field(default_factory=list)


class Steps:
    """Told by optimizers that they are made, take a step or clear gradients."""

    __slots__ = ("found",)

    def __init__(self) -> None:
        self.found: dict[int, Optimized] = {}

    def tell(self, optimizer: Any, what: str, position: Position | None, passes: int) -> None:
        """`what`: made, added (parameters), step or zero_grad; `passes`: how many backward passes there were."""
        known = self.found.get(id(optimizer))
        if known is None:
            if len(self.found) >= OPTIMIZERS:
                return
            known = self.found[id(optimizer)] = Optimized(type(optimizer).__name__, optimizer, position, [])
        if what in ("made", "added"):
            held = [t for group in optimizer.param_groups for t in group["params"] if isinstance(t, Tensor)]
            known.tensors = held[:PARAMETERS]
        elif len(known.uses) < USES:
            known.uses.append((what, position, passes))
