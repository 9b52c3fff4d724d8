"""What checkpointing a module would free, and what it would compute again: from a document alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class Checkpoint(TypedDict):
    """A module (`Net.layers.0`), as `torch.utils.checkpoint.checkpoint(module, x)` would run it.

    `frees_bytes`: of what its nodes keep and nothing else does, until backward gets there. The peak falls by less where
    a module runs again while most of the rest is still held, as the last ones do: *Memory* of the page tells its fall.
    `computes_again`: the ops that run a second time then. `calls`: of the module in one iteration, which both add up.
    """

    module: str
    calls: int
    frees_bytes: int
    computes_again: list[str]


def checkpointing(document: Mapping[str, Any]) -> list[Checkpoint]:
    """Each module that ran in a document, those that free most first; modules that free nothing are left out.

    Parameters, buffers, what a module is given, and results that others keep stay in memory, checkpointed or not. Of a
    module that ran in several iterations of a loop, the last is told of.
    """
    scopes = {scope["id"]: scope for scope in document["scopes"]}
    around = {id: _around(scopes, id) for id in scopes}
    ops = {op["id"]: op for op in document["ops"]}
    made = {tensor: op["scope"] for op in reversed(document["ops"]) for tensor in op["outputs"]}
    keepers: dict[str, set[str]] = {}
    for node in document["nodes"]:
        for kept in node.get("keeps", ()):
            keepers.setdefault(kept["storage"], set()).add(node["scope"] if node["op"] in ops else "")
    ran: dict[str, list[str]] = {}
    for op in document["ops"]:
        for scope in around.get(op["scope"], ()):
            ran.setdefault(scope, []).append(op["name"])
    freed: dict[str, int] = {}
    for storage in document.get("storages", ()):
        if storage["kind"] != "activation":
            continue
        inside = set.intersection(*[{*around.get(scope, ())} for scope in keepers.get(storage["id"], {""})])
        if storage["tensor"] is not None:
            inside &= {*around.get(made.get(storage["tensor"], ""), ())}
        for scope in inside:
            freed[scope] = freed.get(scope, 0) + storage["bytes"]
    return _by_module(scopes, freed, ran)


def _around(scopes: Mapping[str, Any], scope: str | None) -> list[str]:
    """The calls of modules that a scope is in, itself among them."""
    found = []
    while scope is not None:
        if scopes[scope]["kind"] == "module":
            found.append(scope)
        scope = scopes[scope]["parent"]
    return found


def _by_module(scopes: Mapping[str, Any], freed: dict[str, int], ran: dict[str, list[str]]) -> list[Checkpoint]:
    calls: dict[str, list[str]] = {}
    for id, scope in scopes.items():
        if scope["kind"] == "module" and freed.get(id):
            calls.setdefault(_path(scopes, id), []).append(id)
    found: list[Checkpoint] = []
    for path, all_calls in calls.items():
        turn = _turn(scopes, all_calls[-1])
        last = [call for call in all_calls if _turn(scopes, call) == turn]
        size, again = sum(freed[call] for call in last), [op for call in last for op in ran.get(call, ())]
        found.append({"module": path, "calls": len(last), "frees_bytes": size, "computes_again": again})
    return sorted(found, key=lambda row: -row["frees_bytes"])


def _path(scopes: Mapping[str, Any], scope: str) -> str:
    """`Net.fc1`: the class of the outermost module, then the names of those inside."""
    return ".".join([scopes[call]["label"].partition(": ")[0] for call in reversed(_around(scopes, scope))])


def _turn(scopes: Mapping[str, Any], scope: str | None) -> str | None:
    """The outermost iteration of a loop that a scope is in."""
    turn = None
    while scope is not None:
        if scopes[scope]["kind"] == "loop":
            turn = scope
        scope = scopes[scope]["parent"]
    return turn
