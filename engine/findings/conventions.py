"""Rule: gradients that are a matter of convention, at corners and ties."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .facts import CHAIN, SMALL, Facts, Row
from .finding import Found, Rule
from .names import expression, name_of, spoken

Slopes = tuple[float, float]
"""On the left and on the right of a corner."""

CORNERS: dict[str, Callable[[Row], list[tuple[float, Slopes]]]] = {
    "relu": lambda _: [(0, (0, 1))],
    "abs": lambda _: [(0, (-1, 1))],
    "clamp": lambda given: _bounds(given.get("min"), given.get("max")),
    "clamp_min": lambda given: _bounds(given.get("min"), None),
    "clamp_max": lambda given: _bounds(None, given.get("max")),
    "hardtanh": lambda given: _bounds(given.get("min_val", -1), given.get("max_val", 1)),
    "leaky_relu": lambda given: [(0, (given.get("negative_slope", 0.01), 1))],
    "elu": lambda given: _unlike(given.get("alpha", 1) * given.get("scale", 1), given.get("scale", 1)),
    "softshrink": lambda given: [(-given.get("lambd", 0.5), (1, 0)), (given.get("lambd", 0.5), (0, 1))],
    "hardsigmoid": lambda _: [(-3, (0, 1 / 6)), (3, (1 / 6, 0))],
    "hardswish": lambda _: [(-3, (0, -0.5)), (3, (1.5, 1))],
}
"""By op, from its arguments: where it has a corner, and the slopes on either side."""

EITHER = frozenset({"maximum", "minimum", "fmax", "fmin"})
SHARED = frozenset({"max", "min", "amax", "amin", "median", "nanmedian"})
POOLS = frozenset({"max_pool2d_with_indices", "max_pool3d_with_indices", "adaptive_max_pool2d", "adaptive_max_pool3d"})
NORMS = frozenset({"norm", "linalg_vector_norm"})

FLAT = frozenset({
    "relu", "dropout", "native_dropout", "clamp", "clamp_min", "hardtanh", "threshold", "masked_fill",
    "constant_pad_nd", "where", "embedding",
})  # fmt: skip
"""Ops that make numbers through which nothing passes: what a corner behind them sends goes no further."""


def _bounds(low: Any, high: Any) -> list[tuple[float, Slopes]]:
    numbers = [(low, (0, 1)), (high, (1, 0))]
    return [(x, slopes) for x, slopes in numbers if isinstance(x, int | float)] if low != high else []


def _unlike(left: float, right: float) -> list[tuple[float, Slopes]]:
    return [(0, (left, right))] if left != right else []


def corner(facts: Facts) -> Iterator[Found]:
    """A gradient that went through a corner, or was shared among equals."""
    if facts.stepping or not _KNOWN & facts.named.keys():
        return
    seen: set[tuple[object, ...]] = set()
    passes: set[int | None] = set()
    for p in facts.outer_passes:
        if p.line in passes:
            continue
        passes.add(p.line)
        for time in p.nodes:
            event = facts.events[time]
            op = facts.op_of(event["node"])
            if op is None or op["name"] not in _KNOWN or (op["line"], op["column"]) in seen:
                continue
            told = _told(facts, op, event)
            if told is not None:
                seen.add((op["line"], op["column"]))
                given = [t for t in op["inputs"] if facts.tensors[t]["requires_grad"]]
                yield Found(
                    told, [op["line"]], [*given, *op["outputs"][:1]], [event["node"]], [op["id"]], [time]
                )  # fmt: skip


_KNOWN = CORNERS.keys() | EITHER | SHARED | POOLS | NORMS


def _told(facts: Facts, op: Row, event: Row) -> str | None:
    """What convention a node had to follow; None where there was none to follow, or not all numbers are there."""
    given = [_array(facts, t, op) for t in op["inputs"]]
    weights = [facts.array(value) for value in event["grad_outputs"]]
    sent = [facts.array(value) for value in event["grad_inputs"]]
    if not given or given[0] is None or given[0].size > SMALL or not weights or weights[0] is None:
        return None
    if not sent or any(_flat(facts, t) for t in op["inputs"]):
        return None
    x, g = given[0], weights[0]
    name = op["name"]
    if name in EITHER:
        return _of_two(facts, op, given, g)
    if sent[0] is None or sent[0].shape != x.shape:
        return None
    if name in CORNERS:
        return _at_corner(facts, op, x, g, sent[0])
    if name in NORMS:
        return _of_norm(facts, op, x, g, sent[0])
    return _of_equals(facts, op, x, g)


def _array(facts: Facts, tensor: str, op: Row) -> np.ndarray | None:
    """The numbers that an op was given; None where they may have been others."""
    row = facts.tensors[tensor]
    written = tensor in op["outputs"] or row["value"] != row["final"]
    return None if written else facts.array(row["value"])


def _flat(facts: Facts, tensor: str) -> bool:
    """Whether what made these numbers is flat where they are 0, or repeats them."""
    for _ in range(6):
        made = facts.maker(tensor)
        if made is None or not made["inputs"]:
            return False
        if made["name"] in FLAT:
            return True
        if made["name"] not in CHAIN and made["name"] not in POOLS:
            return False
        tensor = made["inputs"][0]
    return False


def _words(facts: Facts, op: Row) -> str:
    return f"{expression(facts, op) or spoken(op['name'])} on line {op['line']}"


def _places(facts: Facts, tensor: str, at: np.ndarray) -> str:
    """One element of a tensor, or how many."""
    name = name_of(facts, tensor)
    count = int(at.sum())
    if count > 1:
        return f"{count} elements of {name} are"
    if at.ndim == 0:
        return f"{name} is"
    index = _index(at)
    return f"{name}[{index}] is" if name.replace(".", "").isidentifier() else f"Element [{index}] of {name} is"


def _index(at: np.ndarray) -> str:
    return ", ".join([str(int(i[0])) for i in np.nonzero(at)])


def _number(x: float) -> str:
    """A number as sentences have it."""
    return f"{x:.4g}".replace("-", "−")


def _at_corner(facts: Facts, op: Row, x: np.ndarray, g: np.ndarray, sent: np.ndarray) -> str | None:
    if g.shape != x.shape:
        return None
    for place, (left, right) in CORNERS[op["name"]](op["arguments"]):
        at = (x == np.float32(place)) & (g != 0) & np.isfinite(g)
        if at.any():
            used = float((sent[at] / g[at])[0])
            return (
                f"{_places(facts, op['inputs'][0], at)} {_number(place)}, at a corner of {_words(facts, op)}: "
                f"its derivative is {_number(left)} below and {_number(right)} above, "
                f"and PyTorch takes {_number(used)} there"
            )
    return None


def _of_two(facts: Facts, op: Row, given: list[np.ndarray | None], g: np.ndarray) -> str | None:
    if len(given) != 2 or given[0] is None or given[1] is None:
        return None
    try:
        at = np.broadcast_to(given[0] == given[1], g.shape) & (g != 0)
    except ValueError:
        return None
    if not at.any():
        return None
    one, other = [name_of(facts, t) for t in op["inputs"]]
    many = f" in {int(at.sum())} elements" if at.sum() > 1 else f" at [{_index(at)}]" if at.ndim else ""
    halves = op["name"] in ("maximum", "minimum")
    how = "gives each half of the gradient" if halves else f"gives all of the gradient to {one}"
    return f"{one} and {other} are equal{many}, a tie in {_words(facts, op)}: PyTorch {how} there"


def _of_equals(facts: Facts, op: Row, x: np.ndarray, g: np.ndarray) -> str | None:
    """Of equal elements, one was to be chosen."""
    out = facts.array(facts.tensors[op["outputs"][0]]["value"])
    if out is None or out.size != g.size or not g.any():
        return None
    if op["name"] in POOLS:
        equals = _in_windows(op, x, out)
        share = False
    else:
        dim = op["arguments"].get("dim")
        axes = tuple(range(x.ndim)) if dim is None or dim == [] else tuple(np.atleast_1d(dim).tolist())
        share = dim is None or op["name"] in ("amax", "amin")
        try:
            result = out.reshape(np.max(x, axis=axes, keepdims=True).shape) if x.ndim else out
        except ValueError:
            return None
        tied = (x == result).sum(axis=axes)
        equals = int(np.where((tied > 1) & (g.reshape(np.shape(tied)) != 0), tied, 0).max())
    if equals < 2:
        return None
    how = f"gives each 1/{equals} of the gradient" if share else "gives all of the gradient to one of them"
    what = "tie in a window of" if op["name"] in POOLS else "tie in"
    return f"{equals} elements of {name_of(facts, op['inputs'][0])} {what} {_words(facts, op)}: PyTorch {how}"


def _in_windows(op: Row, x: np.ndarray, out: np.ndarray) -> int:
    """How many elements are the largest of one window, at most, where windows do not overlap."""
    kernel = op["arguments"].get("kernel_size")
    sizes = op["arguments"].get("output_size")
    spatial = len(kernel or sizes or [])
    if not spatial or x.ndim <= spatial or (kernel and op["arguments"].get("stride") not in (None, [], kernel)):
        return 0
    if any(op["arguments"].get("padding") or []):
        return 0
    steps = kernel or [x.shape[i - spatial] // sizes[i] for i in range(spatial)]
    lead = x.ndim - spatial
    best = 0
    for place in np.ndindex(out.shape):
        window = tuple(slice(i * step, (i + 1) * step) for i, step in zip(place[lead:], steps, strict=True))
        best = max(best, int((x[(*place[:lead], *window)] == out[place]).sum()))
    return best


def _of_norm(facts: Facts, op: Row, x: np.ndarray, g: np.ndarray, sent: np.ndarray) -> str | None:
    given = op["arguments"]
    power = given.get("ord", given.get("p", 2))
    name, words = name_of(facts, op["inputs"][0]), _words(facts, op)
    if not g.any() or not np.isfinite(sent).all():
        return None
    if not x.any():
        return f"All elements of {name} are 0, where {words} has no derivative: PyTorch gives a gradient of 0 there"
    if power in ("Infinity", math.inf) and given.get("dim") is None:
        equals = int((np.abs(x) == np.abs(x).max()).sum())
        if equals > 1:
            return f"{equals} elements of {name} tie in {words}: PyTorch gives each 1/{equals} of the gradient"
    return None


RULES = [
    Rule(
        "corner", "convention", "hint",
        "In the first backward() of a line, a gradient that is not 0 goes through relu, abs, clamp, hardtanh, "
        "leaky_relu, elu or the like where it has a corner, through a norm at 0, or back from a maximum, minimum, "
        "median or pooling of which several elements are the result.",
        "At a corner there is no one derivative, and equals can share it in any way: PyTorch picks one. Another "
        "library, and a difference quotient, may give another.",
        "Nothing, if the point is there by chance. Else keep off it, or use a function that is smooth there, such as "
        "softplus or logsumexp.",
        "Silent where an optimizer takes steps, for tensors of more than 64 elements, and behind an op that is flat "
        "there itself, such as another relu or dropout.", corner,
    ),
]  # fmt: skip
