"""What cuts a tensor off from the graph, in words: `why_no_grad.cut` of a document, for all who tell of it."""

from __future__ import annotations

from typing import NamedTuple


class Cut(NamedTuple):
    """``short``: after a name, or before a line; ``long``: as a sentence of its own."""

    short: str
    long: str


CUTS = {
    "detach": Cut(
        "detach() cuts the graph",
        "detach() returned a tensor that shares the values but not the history. Gradients stop there.",
    ),
    "data": Cut(
        ".data cuts the graph",
        ".data gives the values without the history, and unlike detach() it doesn't even detect in-place changes.",
    ),
    "no_grad": Cut(
        "gradients are switched off here",
        "It was computed where gradients are switched off (no_grad, inference_mode or set_grad_enabled(False)), so "
        "nothing was recorded.",
    ),
    "integer": Cut(
        "only floating point tensors have gradients",
        "It holds integers or booleans. A derivative needs numbers that vary continuously, so only floating point and "
        "complex tensors can have gradients.",
    ),
    "not_differentiable": Cut(
        "this operation has no derivative",
        "The operation has no useful derivative (it is piecewise constant), so autograd does not record it.",
    ),
    "leaf_without_requires_grad": Cut(
        "it was made without requires_grad=True",
        "It was made without requires_grad=True, so no gradient is computed for it.",
    ),
    "inputs_without_requires_grad": Cut(
        "no input requires grad",
        "Nothing it was computed from required grad at the time, so there was nothing to record.",
    ),
}
"""By the document's word."""
