"""What a picture of a step shows, read out of a run document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

MOST_LEAVES = 4
MOST_NUMBERS = 4
MOST_LOOKED_AT = 64
MOST_DIMENSIONS = 8
LARGEST_SIZE = 1 << 62
SIGNS = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "pow": "xⁿ", "mm": "@", "matmul": "@", "sum": "Σ", "neg": "−"}


@dataclass(frozen=True, slots=True)
class Numbers:
    """The first numbers of a value; `more` of them are not among these. None are there of large values."""

    shape: tuple[int, ...]
    shown: tuple[float, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Card:
    """A tensor with its gradient; `role` says which: `.grad` of a leaf, the gradient that arrived at the root."""

    name: str
    value: Numbers | None
    gradient: Numbers | None
    role: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a run."""

    line: int | None
    code: str
    sentence: str
    op: str
    root: Card | None
    leaves: tuple[Card, ...]


Document = Mapping[str, Any]


def moment_of(document: Document, step: int | None) -> Moment:
    """The moment after `step` events; by default the end of the first pass."""
    events = document["events"]
    nodes = {node["id"]: node for node in document["nodes"]}
    ends = (i + 1 for i, event in enumerate(events) if event["kind"] == "backward_end")
    t = min(len(events), next(ends, len(events)) if step is None else step)
    past = events[:t]
    now = next((event for event in reversed(past) if event["kind"] not in ("release", "print")), None)
    call = next((event for event in reversed(past) if event["kind"] == "backward"), None)
    line = line_of(document, nodes, now, call)
    lines = (document["source"].get("code") or "").splitlines()
    return Moment(
        line,
        lines[line - 1].strip() if line and line <= len(lines) else "",
        sentence_of(document, nodes, now),
        op_of(document, nodes, now),
        root_of(document, call),
        tuple(leaves_of(document, past)),
    )


def line_of(document: Document, nodes: Mapping[str, Any], now: Any, call: Any) -> int | None:
    """The line that the moment is about: a node's is that of its op."""
    if now is None:
        return None
    if now["kind"] == "node":
        return (nodes.get(now["node"]) or {}).get("line") or (call or {}).get("line")
    if now["kind"] == "op":
        return next((op.get("line") for op in document["ops"] if op["id"] == now["op"]), None)
    return now.get("line") or (call or {}).get("line")


def sentence_of(document: Document, nodes: Mapping[str, Any], now: Any) -> str:
    names = {tensor["id"]: tensor["name"] or "a tensor" for tensor in document["tensors"]}
    kind = now["kind"] if now else ""
    if kind == "node":
        node = nodes.get(now["node"]) or {}
        leaf = names.get(node.get("variable") or "")
        says = node.get("says") or "it hands the gradient on to its inputs"
        return f"{leaf}.grad has its gradient." if leaf else f"{node.get('name', 'A node')}: {says}."
    if kind == "accumulate":
        adds = "adds to what" if now["before"] else "is the first that"
        return f"The gradient that arrives at {names.get(now['tensor'])} {adds} {names.get(now['tensor'])}.grad holds."
    if kind == "backward":
        return "backward() starts here: the gradient of the root with respect to itself is 1."
    if kind == "backward_end":
        return "The backward pass is over: every leaf that it reached has its gradient."
    if kind == "read":
        return f"The program looks at {names.get(now.get('tensor') or '', 'a tensor')}: this is what it finds."
    if kind == "error":
        error = document.get("error") or {}
        return f"{error.get('type', 'The program fails')}: {error.get('message', '')}".partition("\n")[0]
    made = names.get(now.get("tensor") or "") if now else None
    return f"The program computes {made}, and autograd writes down how." if made else "The program runs, line by line."


def op_of(document: Document, nodes: Mapping[str, Any], now: Any) -> str:
    """The op of the moment as the page writes it on its circle, or the name of its node."""
    if now is None or now["kind"] not in ("node", "op"):
        return ""
    op = nodes.get(now["node"], {}).get("op") if now["kind"] == "node" else now["op"]
    name = next((each["name"] for each in document["ops"] if each["id"] == op), "")
    return SIGNS.get(name, name)


def root_of(document: Document, call: Any) -> Card | None:
    """What the pass started from."""
    if not call or not call["roots"]:
        return None
    node, output = call["roots"][0]
    found = (t for t in document["tensors"] if t["grad_fn"] == node and t.get("output_nr", 0) == output)
    root = next(found, None)
    if root is None:
        return None
    gradient = numbers(document, call["gradients"][0]) if call["gradients"] else None
    return Card(root["name"] or "L", numbers(document, root["value"]), gradient, "gradient")


def leaves_of(document: Document, past: Sequence[Any]) -> Iterator[Card]:
    """The leaves that require grad and are there by now, those with a gradient first."""
    held: dict[str, str | None] = {}
    for event in past:
        if event["kind"] in ("accumulate", "grad"):
            held[event["tensor"]] = event["after"]
    reached = {event["tensor"] for event in document["events"] if event["kind"] == "accumulate"}
    known = [t for t in document["tensors"] if t["is_leaf"] and t["requires_grad"] and (t["name"] or t["path"])]
    known.sort(key=lambda tensor: (tensor["id"] not in reached, not tensor["name"]))
    for tensor in known[:MOST_LEAVES]:
        gradient = numbers(document, held.get(tensor["id"]))
        yield Card(tensor["name"] or tensor["path"], numbers(document, tensor["value"]), gradient, ".grad")


def numbers(document: Document, value: str | None) -> Numbers | None:
    """The first numbers of a value; None where there is no such value."""
    found = document["values"].get(value) if value else None
    if not found:
        return None
    first = islice(walk(found.get("data")), MOST_LOOKED_AT)
    flat = list(islice((number for number in first if number is not None), MOST_NUMBERS + 1))
    shape = tuple(max(0, min(LARGEST_SIZE, int(size))) for size in found["shape"][:MOST_DIMENSIONS])
    return Numbers(shape, tuple(flat[:MOST_NUMBERS]), len(flat) > MOST_NUMBERS)


def walk(data: Any) -> Iterator[float | None]:
    """The real numbers of nested lists, in order, and None for all else; documents write those that JSON has not as
    words."""
    if isinstance(data, list):
        for each in data:
            yield from walk(each)
        return
    try:
        yield float(data)
    except (TypeError, ValueError):
        yield None
