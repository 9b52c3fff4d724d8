"""Record what checkpointing modules does to the memory that PyTorch keeps for backward, in the program that the page's
test reads. Needs torch 2.13; run from the repository root:

    python -m tests.record.checkpointed

Counted are the bytes of activations that nodes keep, by storage, and of what a checkpoint computes again. Written to
tests/js/fixtures/memory/blocks.torch.json: the largest number there is at any time, by the modules that are
checkpointed.
"""

from __future__ import annotations

import json
import weakref
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.utils.checkpoint as checkpoints
from torch import nn

PROGRAM = Path("tests/js/fixtures/memory/blocks.py")
CHOICES = ("", "0", "1", "2", "0 1 2", "0 2", "0.up", "2.norm")


class Kept:
    """What is kept, once however often."""

    def __init__(self) -> None:
        self.anyway: set[int] = set()
        self.storages: Counter[int] = Counter()
        self.bytes = self.peak = 0

    def hold(self, tensor: torch.Tensor, holder: object) -> None:
        """Count a tensor for as long as its holder lives."""
        storage = tensor.untyped_storage()
        place, size = storage.data_ptr(), storage.nbytes()
        if place in self.anyway:
            return
        self.bytes += 0 if self.storages[place] else size
        self.storages[place] += 1
        self.peak = max(self.peak, self.bytes)
        weakref.finalize(holder, self._let_go, place, size)

    def _let_go(self, place: int, size: int) -> None:
        self.storages[place] -= 1
        self.bytes -= 0 if self.storages[place] else size


class Holder:
    """Stands for a tensor in a node."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor


def peak(modules: list[str]) -> int:
    """The most bytes that are kept in a run of the program in which these modules of `net` are checkpointed."""
    made, _, rest = PROGRAM.read_text(encoding="utf-8").partition("loss = ")
    names: dict[str, Any] = {}
    exec(made, names)
    kept = Kept()
    leaves = [*names["net"].parameters(), names["x"]]
    kept.anyway = {leaf.untyped_storage().data_ptr() for leaf in leaves}

    def pack(tensor: torch.Tensor) -> Holder:
        holder = Holder(tensor)
        kept.hold(tensor, holder)
        return holder

    def checkpointed(forward: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: torch.Tensor) -> Any:
            kept.hold(x, x)  # as long as the checkpoint has it, and no longer
            return checkpoints.checkpoint(forward, x, use_reentrant=False)

        return call

    class Again(checkpoints._recomputation_hook):
        """Counts what is computed again for as long as the checkpoint has it."""

        def __init__(self, frame: Any, run: int) -> None:
            super().__init__(frame, run)
            keep = self.pack_hook

            def pack_again(tensor: torch.Tensor) -> Any:
                known = frame().recomputed[run]
                before = set(map(id, known.values()))
                try:
                    return keep(tensor)
                finally:
                    for each in known.values():
                        if id(each) not in before:
                            kept.hold(each, each)

            self.pack_hook = pack_again

    before, checkpoints._recomputation_hook = checkpoints._recomputation_hook, Again
    try:
        for name in modules:
            module: nn.Module = names["net"].get_submodule(name)
            module.forward = checkpointed(module.forward)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda holder: holder.tensor):
            exec(f"loss = {rest}", names)
    finally:
        checkpoints._recomputation_hook = before
    return kept.peak


def main() -> None:
    """Write the peaks of all choices."""
    peaks = {choice: peak(choice.split()) for choice in CHOICES}
    PROGRAM.with_suffix(".torch.json").write_text(json.dumps(peaks, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
