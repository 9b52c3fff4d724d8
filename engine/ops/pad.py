"""Padding that repeats what is there: mirrored at the edge, or the edge itself."""

from __future__ import annotations

from engine.batching import rules
from engine.codegen.op import op

for _rank, _cost in ((1, 0), (2, 2), (3, 8)):
    _format = "channels_last" if _rank == 2 else ""
    for _name, _kernel, _says in (
        ("reflection", "reflect", "a mirrored value collects the gradients of itself and of its mirror images"),
        ("replication", "replicate", "an edge value collects the gradients of all its copies"),
    ):
        op(
            f"{_name}_pad{_rank}d(self, padding)", f"{_name.capitalize()}Pad{_rank}DBackward0",
            f"{_kernel}_kernel(self, padding)", inplace=False,
            self=f"{_name}_pad{_rank}d_backward(g, self, padding)", says=_says,
            vmap=rules.sampled(_rank + 1), backward_cost=_cost, memory_format=_format,
            autocast="" if _name == "reflection" and _rank == 3 else "fp32", opmath="bfloat16",
        )
        op(
            f"{_name}_pad{_rank}d_backward(grad_output, self, padding)",
            f"{_name.capitalize()}Pad{_rank}DBackwardBackward0",
            f"{_kernel}_backward_kernel(grad_output, self, padding)", inplace=False,
            grad_output=f"{_name}_pad{_rank}d(g, padding)", self="zeros_like(g)",
            formula_format=_format and f"{_format} self", opmath="bfloat16",
        )
