"""The checks that were asked for of one run, by the names of leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.core.tensor import Tensor
from engine.document.limits import shorten
from engine.gradcheck.differences import check
from engine.gradcheck.inside import Inside
from engine.gradcheck.tape import Tape, Unchecked, find
from engine.limits import Limits
from engine.trace import Builder, Recorder, reading
from engine.trace.events import AccumulateEvent
from engine.trace.records import Records

MOST = 8
"""Leaves that one request may name."""


def checks(
    names: Sequence[str],
    recorder: Recorder,
    builder: Builder,
    named: Mapping[str, str],
    again: Callable[[Recorder], None],
    limits: Limits,
) -> list[dict[str, Any]]:
    """`checks` of the document: one entry for each of `names`, which are `w`, `model.0.weight`, `t3`, or `w@1` for what
    the backward pass 1 added.

    `named`: the ids of tensors by their names in the program; `again` runs the program once more for another recorder.
    """
    records = recorder.records
    ids = {identity: key for key, identity in builder.tensor_ids.items()}
    leaves = {
        builder.tensor_ids[id(event.tensor)]: event.tensor
        for event in records.events
        if type(event) is AccumulateEvent and id(event.tensor) in builder.tensor_ids
    }
    seen = {identity: records.tensors.get(id(t)) for identity, t in leaves.items()}
    called = {record.name: identity for identity, record in seen.items() if record is not None and record.name}
    found: list[dict[str, Any]] = []
    for asked in names:
        name, _, call = asked.partition("@")
        identity = called.get(name) or named.get(name) or (name if name in ids else None)
        try:
            if identity not in leaves:
                raise Unchecked(_nothing(asked, identity, sorted(called, key=str)))
            if call and not call.isdecimal():
                raise Unchecked(f"A backward pass has a number: {shorten(name)}@0 is the first one.")
            tape = _tape(records, leaves[identity], int(call) if call else None, again, limits)
            entry = check(tape, limits)
            if entry["reason"] is not None:
                entry["reason"]["op"] = builder.op_ids.get(id(entry["reason"]["op"]))
        except Unchecked as why:
            entry = {"status": "unchecked", "reason": {"kind": "unchecked", "text": str(why), "op": None, "line": None}}
        found.append({"asked": shorten(asked), "tensor": identity, **entry})
    return found


def _nothing(asked: str, identity: str | None, known: Sequence[str]) -> str:
    if identity is not None:
        return f"{shorten(asked)} is no leaf that a recorded backward pass added a gradient to."
    some = ", ".join(shorten(name) for name in known[:MOST])
    return f"Nothing is called {shorten(asked)}. " + (
        f"These have gradients: {some}." if some else "No leaf has a gradient."
    )


def _tape(records: Records, leaf: Tensor, call: int | None, again: Callable[[Recorder], None], limits: Limits) -> Tape:
    """The tape of a pass; of a second run that looks into custom Functions, if there are any on it."""
    number, event = find(records, leaf, call)
    tape = Tape(records, event)
    if not tape.functions():
        return tape
    inside = Inside(limits)
    again(inside)
    added = [event for event in inside.records.events if type(event) is AccumulateEvent]
    if number >= len(added) or reading.array(added[number].tensor).shape != reading.array(leaf).shape:
        raise Unchecked("What happens inside its custom Functions is too much to be recorded.")
    return Tape(inside.records, added[number])
