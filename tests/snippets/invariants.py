"""What must hold in every run document, whatever the program did."""

from __future__ import annotations

import json
from typing import Any


def violations(document: dict[str, Any]) -> list[str]:
    """Broken rules of the document; empty when it is sound."""
    found: list[str] = []
    try:
        json.dumps(document, allow_nan=False)
    except (TypeError, ValueError) as error:
        found.append(f"it cannot be written as JSON: {error}")
    tables = {k: {row["id"]: row for row in document[k]} for k in ("tensors", "nodes", "ops", "scopes")}
    values, tensors, nodes = document["values"], tables["tensors"], tables["nodes"]

    def refer(table: str, ref: Any, where: str) -> None:
        if ref is not None and ref not in (values if table == "values" else tables[table]):
            found.append(f"{where} refers to {ref}, which is not in {table}")

    for name, ref in document["globals"].items():
        refer("tensors", ref, f"globals[{name}]")
    for t in document["tensors"]:
        refer("nodes", t["grad_fn"], t["id"])
        refer("scopes", t["scope"], t["id"])
        for key in ("value", "final", "grad"):
            refer("values", t[key], f"{t['id']}.{key}")
        for key in ("view_of", "detached_from"):
            refer("tensors", t[key], f"{t['id']}.{key}")
        if t["is_leaf"] != (t["grad_fn"] is None):
            found.append(f"{t['id']} is_leaf disagrees with grad_fn")
        if (t["why_no_grad"] is None) != t["requires_grad"]:
            found.append(f"{t['id']} why_no_grad disagrees with requires_grad")
    for n in document["nodes"]:
        for edge in n["next_functions"]:
            if edge is not None:
                refer("nodes", edge[0], n["id"])
        refer("tensors", n["variable"], n["id"])
        if (n["name"] == "AccumulateGrad") != (n["variable"] is not None):
            found.append(f"{n['id']} variable disagrees with its name")
    for op in document["ops"]:
        for ref in [*op["inputs"], *op["outputs"]]:
            refer("tensors", ref, op["id"])
        refer("nodes", op["node"], op["id"])
    found += _passes(document, tensors, nodes, refer)
    return found


def _passes(document: dict[str, Any], tensors: Any, nodes: Any, refer: Any) -> list[str]:
    found: list[str] = []
    open_calls: list[int] = []
    last_sum: dict[tuple[int, str, int], Any] = {}
    grads: dict[str, Any] = {}
    ran: dict[int, set[str]] = {}
    for position, event in enumerate(document["events"]):
        kind = event["kind"]
        where = f"event {position} ({kind})"
        if kind == "backward":
            open_calls.append(event["call"])
            ran[event["call"]] = set()
            for (root, number), gradient in zip(event["roots"], event["gradients"], strict=True):
                refer("nodes", root, where)
                refer("values", gradient, where)
                last_sum.setdefault((event["call"], root, number), gradient)
        elif kind == "backward_end":
            if open_calls.pop() != event["call"]:
                found.append(f"{where} does not close the open pass")
        elif kind == "node":
            call, node = event["call"], event["node"]
            if call not in open_calls:
                found.append(f"{where} is outside its pass")
            if node in ran[call]:
                found.append(f"{where}: {node} ran twice")
            ran[call].add(node)
            if len(event["grad_inputs"]) != len(nodes[node]["next_functions"]):
                found.append(f"{where}: {node} has {len(event['grad_inputs'])} gradients")
            for send in event["sends"]:
                refer("nodes", send["to"], where)
                if not 1 <= send["arrived"] <= send["expected"]:
                    found.append(f"{where}: arrived {send['arrived']} of {send['expected']}")
                last_sum[call, send["to"], send["input_nr"]] = send["sum"]
        elif kind == "accumulate":
            before = grads.get(event["tensor"])
            if (
                event["before"] is not None
                and before is not None
                and json.dumps(_data(document, before)) != json.dumps(_data(document, event["before"]))
            ):
                found.append(f"{where}: before is not what the last event left")
            grads[event["tensor"]] = event["after"]
        elif kind == "grad":
            grads[event["tensor"]] = event["after"]
        elif kind in ("op", "write", "bind", "release"):
            table = {"op": "ops", "release": "nodes"}.get(kind, "tensors")
            refer(table, event[{"op": "op", "release": "node"}.get(kind, "tensor")], where)
    if open_calls:
        found.append(f"passes {open_calls} never end")
    return found + _sums(document)


def _sums(document: dict[str, Any]) -> list[str]:
    """A node's gradient is the last sum that arrived, unless a hook or retain_grad changed it on the way."""
    found: list[str] = []
    arrived: dict[tuple[int, str], dict[int, Any]] = {}
    hooked = {event["target"] for event in document["events"] if event["kind"] == "hook"}
    owner = {t["id"]: t["grad_fn"] for t in document["tensors"]}
    hooked |= {owner.get(target) for target in hooked}
    hooked |= {n["id"] for n in document["nodes"] if n["variable"] in hooked}
    for event in document["events"]:
        if event["kind"] != "node":
            continue
        call, node = event["call"], event["node"]
        for number, total in arrived.get((call, node), {}).items():
            if node not in hooked and total is not None and len(event["grad_outputs"]) > number:
                arrived_as = json.dumps(_data(document, total))  # as text: nan is not equal to itself
                if json.dumps(_data(document, event["grad_outputs"][number])) != arrived_as:
                    found.append(f"{node} in pass {call}: its gradient is not the sum that arrived")
        for send in event["sends"]:
            arrived.setdefault((call, send["to"]), {})[send["input_nr"]] = send["sum"]
    return found


def _data(document: dict[str, Any], ref: str | None) -> Any:
    value = None if ref is None else document["values"][ref]
    return None if value is None else (value["data"] if value["data"] is not None else value["stats"])
