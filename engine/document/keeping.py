"""When nodes let go of what they keep, where no `release` event tells: as far as names and calls tell."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

COPIES = "CopySlices"
"""The node of a write through a view: it has the node of the op that wrote, and lets go of that when it is released."""


def tell_freed(document: Any) -> None:
    """Write `freed` of its nodes into a document that has all else."""
    found = freed(document)
    for node in document["nodes"] if found else ():
        if node["id"] in found:
            node["freed"] = found[node["id"]]


def freed(document: Mapping[str, Any]) -> dict[str, int]:
    """`freed` of the nodes of a document that keep something which no `release` event frees; none of those to which
    something leads in the end."""
    events = document["events"]
    released = {event["node"]: at for at, event in reversed(list(enumerate(events))) if event["kind"] == "release"}
    held = [
        node for node in document["nodes"]
        if node.get("keeps") and (node["id"] not in released or node["keeps"][-1]["name"].startswith("ctx."))
    ]  # fmt: skip
    if not held:
        return {}
    writers = _writers(document)
    until = _until(document)
    made = {event["op"]: at + 1 for at, event in enumerate(events) if event["kind"] == "op"}
    found: dict[str, int] = {}
    for node in held:
        by = writers.get(node["id"], node["id"])
        if by in released and by != node["id"]:
            found[node["id"]] = released[by]
        elif (at := until.get(by, made.get(node["op"], len(events)))) < len(events):
            found[node["id"]] = at
    return found


def _writers(document: Mapping[str, Any]) -> dict[str, str]:
    """By node that wrote through a view, the node that has it: it was made right after it, and nothing else leads
    there."""
    nodes = document["nodes"]
    if not any(node["name"] == COPIES for node in nodes):
        return {}
    led = {edge[0] for node in nodes for edge in node["next_functions"] if edge is not None}
    led |= {tensor["grad_fn"] for tensor in document["tensors"]}
    numbered = sorted((node for node in nodes if node["sequence_nr"] is not None), key=lambda n: int(n["sequence_nr"]))
    return {
        before["id"]: node["id"]
        for before, node in pairwise(numbered)
        if node["name"] == COPIES and before["id"] not in led
    }


def _until(document: Mapping[str, Any]) -> dict[str, int]:
    """By node, the time from which nothing leads to it any more; the number of events where something does at the
    end."""
    events, end = document["events"], len(document["events"])
    ops = {op["id"]: op for op in document["ops"]}
    last: dict[str, int] = {}  # of tensors
    until: dict[str, int] = {}  # of nodes
    bound: dict[str, str] = {}
    passes: dict[int, list[str]] = {}
    for at, event in enumerate(events):
        kind = event["kind"]
        if kind == "op":
            op = ops[event["op"]]
            for tensor in (*op["inputs"], *op["outputs"]):
                last[tensor] = at + 1
        elif kind == "bind":
            before = bound.get(event["name"])
            if before is not None:
                last[before] = at
            bound[event["name"]] = event["tensor"]
            last[event["tensor"]] = at + 1
        elif kind == "backward":
            passes[event["call"]] = event["reachable"]
        elif kind == "backward_end":
            until.update(dict.fromkeys(passes.pop(event["call"], ()), at + 1))
        elif event.get("tensor") is not None:
            last[event["tensor"]] = at + 1
    until.update({node: end for reachable in passes.values() for node in reachable})
    last.update(dict.fromkeys(document["globals"].values(), end))
    if document["error"] is not None:  # whoever catches it has the frames
        last.update(dict.fromkeys(bound.values(), end))
    return _led_to(document, last, until)


def _led_to(document: Mapping[str, Any], last: dict[str, int], until: dict[str, int]) -> dict[str, int]:
    """`until`, where tensors lead to nodes until their `last` time, and nodes to the nodes behind them."""
    behind = {node["id"]: [to[0] for to in node["next_functions"] if to is not None] for node in document["nodes"]}
    starts = [(at, node) for node, at in until.items() if node in behind]
    starts += [
        (last[tensor["id"]], tensor["grad_fn"])
        for tensor in document["tensors"]
        if tensor["grad_fn"] is not None and tensor["id"] in last
    ]
    starts.sort(reverse=True)
    found: dict[str, int] = {}
    for at, start in starts:
        todo = [start]
        while todo:
            node = todo.pop()
            if node not in found:
                found[node] = at
                todo += behind.get(node, ())
    return found
