"""Programs captured from PyTorch give the answers that were recorded from it, and the service's document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from programs import captured, record, records

import engine
from engine.limits import Limits as ServiceLimits
from tests.snippets.invariants import violations
from tests.snippets.judge import judge

PROGRAMS = records("basics", "higher", "hooks", "leaves", "losses", "optim")

OTHER_WAY = "under any dispatch mode PyTorch computes this by other operators, with the same gradients"
AS_SENT = "a hook writes to a gradient that two nodes share: a capture has it as it was sent"
ELSEWHERE = {
    "bfloat16": ("", "its record is of a PyTorch with other kernels"),
    "jvp_by_double_vjp": ("backward", OTHER_WAY),
    "ctc_by_alignment": ("backward", OTHER_WAY),
    "ctc_loss_toy": (("backward", "stdout"), OTHER_WAY),
    "writing_to_a_number_two_inputs_share": ("backward", AS_SENT),
}
"""What may differ from the record of a program, by how it begins, and why."""


def judged(path: Path) -> list[str]:
    wanted = record(path)
    document = captured(wanted["code"])
    return [*judge(wanted, document, lambda _: None), *violations(document)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_captured_program_answers_as_recorded(path: Path) -> None:
    differences = judged(path)
    if path.stem in ELSEWHERE:
        beginning, _ = ELSEWHERE[path.stem]
        differences = [difference for difference in differences if not difference.startswith(beginning)]
    assert differences == []


def events(document: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in document["events"] if event["kind"] == kind]


def names(document: dict[str, Any]) -> dict[str, str]:
    return {node["id"]: node["name"] for node in document["nodes"]}


def passes(document: dict[str, Any]) -> list[Any]:
    """Order, sends and ready queue of every pass."""
    name = names(document)
    return [
        (
            name[event["node"]],
            [(name[s["to"]], s["input_nr"], s["arrived"], s["expected"]) for s in event["sends"]],
            [name[node] for node in event["ready"]],
        )
        for event in events(document, "node")
    ]


def numbers(document: dict[str, Any]) -> list[Any]:
    """The sums that were sent, and what was accumulated."""
    refs = [send["sum"] for event in events(document, "node") for send in event["sends"]]
    refs += [event[key] for event in events(document, "accumulate") for key in ("before", "incoming", "after")]
    return [None if ref is None else document["values"][ref]["data"] for ref in refs]


def accumulated(document: dict[str, Any]) -> list[Any]:
    tensors = {tensor["id"]: tensor["name"] for tensor in document["tensors"]}
    return [tensors[event["tensor"]] for event in events(document, "accumulate")]


def hooks(document: dict[str, Any]) -> list[Any]:
    return [(e["on"], len(e["before"]), len(e["after"]), e["registered"], e["line"]) for e in events(document, "hook")]


def bound(document: dict[str, Any]) -> list[Any]:
    return [(event["name"], event["line"]) for event in events(document, "bind")]


def reached(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes that a backward pass reaches; of others the service knows some that PyTorch keeps to itself."""
    ids = {node for event in events(document, "backward") for node in event["reachable"]}
    return [node for node in document["nodes"] if node["id"] in ids]


def scopes(document: dict[str, Any]) -> list[Any]:
    """The scopes in which such nodes were made, from the inside out."""
    rows = {scope["id"]: scope for scope in document["scopes"]}

    def around(scope: str | None) -> list[Any]:
        if scope is None:
            return []
        row = rows[scope]
        return [(row["kind"], row["label"], row["line"], row["iteration"]), *around(row["parent"])]

    nodes = [node for node in reached(document) if node["op"]]
    return sorted([node["name"], node["line"], around(node["scope"])] for node in nodes)


def places(document: dict[str, Any]) -> list[Any]:
    """Names and places of the ops that made such a node."""
    made = {node["op"] for node in reached(document)}
    ops = [op for op in document["ops"] if op["id"] in made]
    return sorted((o["name"], o["line"], o["column"], o["end_line"], o["end_column"]) for o in ops)


def saved(document: dict[str, Any]) -> list[Any]:
    return sorted((node["name"], node["line"] or 0, sorted(node["saved"])) for node in reached(document))


def close(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return one == other or (
            not isinstance(one, str) and not isinstance(other, str) and abs(one - other) <= 1e-5 + 2e-4 * abs(other)
        )
    return bool(one == other)


PARTS = (passes, numbers, accumulated, hooks, bound, scopes, places, saved)
ROW_BY_ROW = "the service runs the engine once for each row of a batch of gradients, PyTorch once for all"
ONE_OPERATOR = "PyTorch takes a tensor apart in one operator, which Python 3.11 sees at another place"
ONE_NODE = "PyTorch has one node for an op on a list of tensors"
OTHERWISE = {
    "bfloat16": ("numbers", "its sums depend on the kernels of PyTorch"),
    "complex_gradients": ("places", "PyTorch ends a renorm by a copy"),
    "lagrangian_pendulum": ("places", ONE_OPERATOR),
    "bilevel_implicit": ("places", ONE_OPERATOR),
    "lbfgs_complex_and_memory": ("places", "PyTorch conjugates by a clone and a flag"),
    "differentiable_steps_of_others": ("places", "an optimizer clones what the service copies"),
    "margin_and_multi_label": ("saved", "PyTorch's kernel keeps a buffer that is no part of the formula"),
    "grad_with_all_options": ("passes numbers", ROW_BY_ROW),
    "is_grads_batched": ("passes numbers", ROW_BY_ROW),
    "levenberg_and_bfgs": ("passes numbers scopes places saved", ROW_BY_ROW),
    "ctc_by_alignment": ("passes scopes saved", OTHER_WAY),
    "ctc_loss_toy": ("passes scopes saved", OTHER_WAY),
    "jvp_by_double_vjp": ("passes numbers scopes places saved", OTHER_WAY),
    "higher_order_derivatives": ("passes numbers scopes places saved", OTHER_WAY),
    "writing_to_a_number_two_inputs_share": ("numbers", AS_SENT),
    "anomaly_of_second_derivatives": ("passes numbers", "a capture has the node at which anomaly mode stops a pass"),
    "leaves_that_moved": ("saved", "a capture does not ask for what hooks packed"),
    "lists_of_tensors_at_once": ("passes numbers accumulated scopes places saved", ONE_NODE),
}
"""The parts in which the documents of a program differ, and why."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_the_service_gives_the_same_document(path: Path) -> None:
    code, limits = record(path)["code"], ServiceLimits(inline_values=1 << 20, document_bytes=1 << 28)
    ours, theirs = captured(code), engine.run(code=code, seed=1, limits=limits).document
    excused, _ = OTHERWISE.get(path.stem, ("", ""))
    parts = [part for part in PARTS if part.__name__ not in excused.split()]
    assert [part.__name__ for part in parts if not close(part(ours), part(theirs))] == []


def test_a_document_is_json_without_numbers_that_json_has_not() -> None:
    document = captured("import torch\nx = torch.tensor([0.0, 1.0], requires_grad=True)\n(x / 0).sum().backward()\n")
    json.dumps(document, allow_nan=False)
    assert document["values"][document["tensors"][0]["value"]]["data"] == [0.0, 1.0]
