"""Padding that repeats what is there: mirrored at the edge, or the edge itself."""

from __future__ import annotations

from engine.codegen.op import op

for _rank in (1, 2, 3):
    for _name, _kernel, _says in (
        ("reflection", "reflect", "a mirrored value collects the gradients of itself and of its mirror images"),
        ("replication", "replicate", "an edge value collects the gradients of all its copies"),
    ):
        op(
            f"{_name}_pad{_rank}d(self, padding)", f"{_name.capitalize()}Pad{_rank}DBackward0",
            f"{_kernel}_kernel(self, padding)", inplace=False,
            self=f"{_name}_pad{_rank}d_backward(g, self, padding)", says=_says,
        )
        op(
            f"{_name}_pad{_rank}d_backward(grad_output, self, padding)",
            f"{_name.capitalize()}Pad{_rank}DBackwardBackward0",
            f"{_kernel}_backward_kernel(grad_output, self, padding)", inplace=False,
            grad_output=f"{_name}_pad{_rank}d(g, padding)", self="zeros_like(g)",
        )
