"""The run document (docs/trace.md) from what a recorder kept."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Mapping
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction

from .carried import findings, version
from .document import keeping
from .document.limits import OUTPUT, shorten
from .document.rows import Node, Origin, Scope, SourceFile, Usage
from .document.words import ACCUMULATES, ACCUMULATES_COMPLEX, UNRECORDED
from .errors import point_at_written
from .formulas import formulas
from .naming import Names
from .notebook import cell_of
from .recorder import Recorder
from .recorder.nodes import is_leaf, name_of
from .recorder.ops import Op
from .recorder.positions import at, text_of
from .recorder.recording import row_of
from .recorder.tensors import Seen
from .recorder.values import grad_of, node_of, shape_of
from .storages import Storages
from .syntax import trees

CLIENT = version()
NOT_RECORDED = "NotRecorded"
"""The category of the warning about other threads."""

_CUSTOM = "a custom Function: its own backward() computed these gradients"


def build(
    recorder: Recorder,
    variables: Mapping[str, Any],
    *,
    every: bool,
    error: dict[str, Any] | None,
    argv: list[str] | None,
) -> dict[str, Any]:
    """The document of a recording that is over. `every`: also of tensors that nothing but `variables` leads to."""
    recording = recorder.recording
    recording.over = True
    with recording.silently():
        document = _Builder(recorder, variables, every).build(error, argv)
    return document


class _Builder:
    def __init__(self, recorder: Recorder, variables: Mapping[str, Any], every: bool) -> None:
        self.recorder, self.recording = recorder, recorder.recording
        self.names = Names(self.recording, variables, every, list(recorder.modules.ran.values()))

    def build(self, error: dict[str, Any] | None, argv: list[str] | None) -> dict[str, Any]:
        recording = self.recording
        recording.events = [row_of(event) for event in recording.events]
        self.names.find()
        if recording.truncated is not None:
            self._gap()
        self._elsewhere()
        self._assign_ops()
        for row in recording.tensors.rows:
            node = None if row.tensor is None else node_of(row.tensor)
            if node is not None:
                recording.nodes.ref(node)
        recording.nodes.close()
        recording.nodes.read()
        for node in recording.nodes.list:
            if is_leaf(node):
                recording.tensor(node.variable)
        if error is not None:
            recording.events.append({"kind": "error"})
            point_at_written(recording, error)
        further = {"training": self.recorder.training.rows(), "optimizers": self._optimizers(), "exits": self._exits()}
        recording.nodes.close()
        recording.nodes.read()
        recording.nodes.describe()
        self._drop_unused(further)
        storages = Storages(recording, self.names.buffers)
        nodes = self._nodes(storages)
        tensors = [self._tensor(row) for row in recording.tensors.rows]
        scopes = [self._scope(scope) for scope in recording.scopes.rows]
        recording.values.describe()
        files = recording.positions.files
        ops, clock = [op.row() for op in recording.ops], self.recorder.clock
        timing = None if clock is None else clock.timing()
        if clock is not None:
            clock.tell(ops, recording.events)
        document: dict[str, Any] = {
            "version": 1,
            "engine": f"torch {torch.__version__}",
            "status": "ok" if error is None else "error",
            "source": {"kind": "capture", "code": text_of(files[0])},
            "files": [_file(name) for name in files],
            "origin": self._origin(tensors, argv),
            "stdout": "".join(recording.stdout)[:OUTPUT],
            "warnings": recording.warnings,
            "error": error,
            "globals": self.names.globals,
            "modules": self.names.modules,
            "tensors": tensors,
            "nodes": nodes,
            **({"storages": storages.rows} if storages.rows else {}),
            "ops": ops,
            "scopes": scopes,
            "values": recording.values.table,
            "events": recording.events,
            **{name: rows for name, rows in further.items() if rows},
            **({"timing": timing} if timing is not None else {}),
            "limits": self._limits(),
            "numpy": _numpy(),
        }
        keeping.tell_freed(document)
        document.update(trees(document))
        found = findings(document)
        if found:
            document["findings"] = found
        text = json.dumps(document, sort_keys=True, separators=(",", ":"))
        return {"id": f"capture-{hashlib.sha256(text.encode()).hexdigest()[:16]}", **document}

    def _optimizers(self) -> list[dict[str, Any]]:
        names = {id(value): name for name, value in reversed(self.names.variables.items())}
        rows: list[dict[str, Any]] = []
        for made in self.recorder.optimizers.log.found.values():
            name = names.get(id(made.optimizer))
            row: dict[str, Any] = {
                "type": shorten(made.kind),
                "name": None if name is None else shorten(name),
                "tensors": [self.recording.tensor(tensor).id for tensor in made.tensors],
                "uses": [at(use.row(), use.place) for use in made.uses],
            }
            rows.append(at(row, made.place))
        return rows

    def _exits(self) -> list[dict[str, Any]]:
        """Where numbers left the graph, of tensors that are in the document."""
        found = [(self.recording.tensors.find(t), how, place) for t, how, place in self.recorder.exits.log.found]
        return [at({"tensor": row.id, "how": how}, place) for row, how, place in found if row is not None]

    def _origin(self, tensors: list[dict[str, Any]], argv: list[str] | None) -> Origin:
        devices = dict.fromkeys(row["device"] for row in tensors if "device" in row)
        origin: Origin = {
            "kind": "captured",
            "torch": torch.__version__,
            "python": platform.python_version(),
            "platform": platform.platform(terse=True),
            "device": ", ".join(map(_device, devices)) or "cpu",
            "client": CLIENT,
        }
        if argv is not None:
            origin["argv"] = [shorten(word) for word in argv[:64]]
        return origin

    def _limits(self) -> Usage:
        recording = self.recording
        told = [event for event in recording.events if event["kind"] != "gap"]
        return {
            "fuel_used": 0,
            "ops": len(recording.ops),
            "truncated": recording.truncated,
            "recorded": {
                "ops": len(recording.ops),
                "passes": sum(event["kind"] == "backward" for event in told),
                "events": len(told),
            },
            "skipped": None if recording.truncated is None else recording.missed.copy(),
        }

    # What was not recorded

    def _gap(self) -> None:
        """Say what is missing, and how it left the tensors of the document."""
        recording = self.recording
        if not recording.missed["events"]:
            recording.truncated = None
            return
        events = recording.events
        events.append({"kind": "gap", **recording.missed})
        last = {event["tensor"]: event["value"] for event in events if event["kind"] == "write"}
        for row in list(recording.tensors.rows):
            if row.tensor is None or row.tensor.is_inference():
                continue
            now = recording.ref(row.tensor)
            if now != last.get(row.id, row.value):
                write = {"tensor": row.id, "version": row.tensor._version, "value": now, "line": None}
                events.append({"kind": "write", **write, "by": UNRECORDED})
            if not row.requires_grad or node_of(row.tensor) is not None and not row.tensor.retains_grad:
                continue
            _, known, before = recording.gradients.get(row.id, (None, None, None))
            after = recording.ref(grad_of(row.tensor))
            if after != before:
                grad = {"tensor": row.id, "before": before, "after": after, "line": None, "by": UNRECORDED}
                events.append({"kind": "grad", **grad})
        if recording.missed_text:
            events.append({"kind": "print", "text": "".join(recording.missed_text)[:OUTPUT], "line": None})

    def _elsewhere(self) -> None:
        """Warn of what other threads ran meanwhile."""
        told = {
            ("backward pass", "backward passes"): self.recording.elsewhere["passes"],
            ("call of a module", "calls of modules"): self.recording.elsewhere["modules"],
        }
        counts = [f"{n:,} {one if n == 1 else several}" for (one, several), n in told.items() if n]
        if not counts:
            return
        said = (
            f"Other threads ran {' and '.join(counts)}, which are not recorded: capture in the thread that runs them."
        )
        row = {"category": NOT_RECORDED, "message": said, "line": None}
        self.recording.warnings.append(row)
        self.recording.events.append({"kind": "warning", **row})

    def _drop_unused(self, further: dict[str, list[dict[str, Any]]]) -> None:
        """Leave out aliases that PyTorch made for itself: the program never held them, and nothing leads to them."""
        recording = self.recording
        used = {name for op in recording.ops for name in (*op.inputs, *op.outputs)}
        used |= {t for row in further["optimizers"] for t in row["tensors"]}
        used |= {row["tensor"] for row in further["exits"]}
        used |= {p["tensor"] for row in further["training"] for p in row["parameters"]}
        used |= {*self.names.globals.values()} | {event["tensor"] for event in recording.events if "tensor" in event}
        for row in reversed(recording.tensors.rows):
            if row.tensor is not None or row.id in used:
                used |= {row.id, *filter(None, (row.view_of, row.detached_from))}
        recording.tensors.rows = [row for row in recording.tensors.rows if row.id in used]

    # Tables

    def _assign_ops(self) -> None:
        """Ops whose output is a view that nobody held know their node by its sequence number."""
        recording = self.recording
        for op in recording.ops:
            if op.node is None and op.sequence in recording.nodes.by_sequence:
                op.node = recording.nodes.ref(recording.nodes.by_sequence[op.sequence])
            if op.node is not None:
                recording.op_of_node.setdefault(op.node, op)

    def _nodes(self, storages: Storages) -> list[Node]:
        recording, ref = self.recording, self.recording.nodes.ref
        order = sorted(int(n._sequence_nr()) for n in recording.nodes.list if not is_leaf(n))
        rank = {sequence: number for number, sequence in enumerate(dict.fromkeys(order))}
        rows: list[Node] = []
        complexes = {row.id for row in recording.tensors.rows if row.dtype.is_complex}
        for node in recording.nodes.list:
            id, name, leaf = ref(node), name_of(node), is_leaf(node)
            op = recording.op_of_node.get(id)
            says = _formula(name, op, complexes)
            edges: Any = [None if to is None else [ref(to), number] for to, number in node.next_functions]
            row: Node = {
                "id": id,
                "name": shorten(name),
                "sequence_nr": None if leaf else rank[int(node._sequence_nr())],
                "next_functions": edges,
                "variable": recording.tensor(node.variable).id if leaf else None,
                "saved": recording.nodes.saved.get(id, {}),
                "attributes": recording.nodes.attributes[id],
                "op": None if op is None else f"o{op.number}",
                "line": None if op is None else op.place.line,
                "scope": recording.scopes.ref(recording.scopes.root) if op is None else op.scope,
                "formula": says["formula"],
                "says": _leaf_says(node) if leaf else _CUSTOM if isinstance(node, BackwardCFunction) else says["says"],
            }
            if op is not None and op.place.file:
                row["file"] = op.place.file
            if keeps := storages.of(id):
                row["keeps"] = keeps
            rows.append(row)
        return rows

    def _tensor(self, seen: Seen) -> dict[str, Any]:
        recording, tensor = self.recording, seen.tensor
        name = None if seen.name is None else shorten(seen.name)
        row: dict[str, Any] = {
            "id": seen.id,
            "name": name,
            "path": None if seen.path is None else shorten(seen.path),
            "shape": list(seen.shape) if tensor is None else shape_of(tensor),
            "dtype": str((seen if tensor is None else tensor).dtype)[6:],
            **(self._lost(seen) if tensor is None else self._held(seen, tensor)),
            "value": seen.value,
            "scope": recording.scopes.ref(seen.scope),
            "view_of": seen.view_of,
            "detached_from": seen.detached_from,
        }
        row["why_no_grad"] = None if row["requires_grad"] else self._why(seen)
        if seen.device.type != "cpu":
            row["device"] = str(seen.device)
        return at(row, seen.place)

    def _held(self, seen: Seen, tensor: torch.Tensor) -> dict[str, Any]:
        recording = self.recording
        node = node_of(tensor)
        return {
            "requires_grad": tensor.requires_grad,
            "is_leaf": node is None,
            "grad_fn": None if node is None else recording.nodes.ref(node),
            "output_nr": 0 if node is None else tensor.output_nr,
            "retains_grad": node is not None and bool(tensor.retains_grad),
            "version": 0 if tensor.is_inference() else tensor._version,
            "final": recording.ref(tensor),
            "grad": recording.ref(grad_of(tensor)),
        }

    def _lost(self, seen: Seen) -> dict[str, Any]:
        """A view that the program never held, or no more."""
        node = None if seen.sequence is None else self.recording.nodes.by_sequence.get(seen.sequence)
        return {
            "requires_grad": node is not None,
            "is_leaf": node is None,
            "grad_fn": None if node is None else self.recording.nodes.ref(node),
            "output_nr": seen.number,
            "retains_grad": False,
            "version": 0,
            "final": seen.value,
            "grad": None,
        }

    def _why(self, seen: Seen) -> dict[str, Any]:
        """Why a tensor has no gradient: where its path to the leaves was cut."""
        integer = not (seen.dtype.is_floating_point or seen.dtype.is_complex)
        cut = seen.cut or ("integer" if integer else "leaf_without_requires_grad")
        return at({"cut": cut}, seen.place)

    def _scope(self, scope: Any) -> Scope:
        row: Scope = {
            "id": scope.id,
            "parent": None if scope.parent is None else scope.parent.id,
            "kind": scope.kind,
            "label": shorten(scope.label),
            "line": scope.line,
            "iteration": scope.iteration,
        }
        if scope.file:
            row["file"] = scope.file
        return row


def _leaf_says(node: Any) -> str:
    """What an AccumulateGrad says."""
    return ACCUMULATES_COMPLEX if node.variable.is_complex() else ACCUMULATES


def _formula(name: str, op: Op | None, complexes: set[str]) -> dict[str, Any]:
    table = formulas()
    rows = table.get(name) or next((table[other] for other in _siblings(name) if other in table), None)
    if not rows:
        return {"formula": {}, "says": None}
    overload = "" if op is None else op.overload
    found: dict[str, Any] = rows.get(overload) or rows.get(overload.replace("_.", ".")) or next(iter(rows.values()))
    if op is not None and "complex" in found and not complexes.isdisjoint(op.outputs):
        found = {**found, "formula": found["complex"]}
    if op is not None and "says_of_complex" in found and not complexes.isdisjoint(op.inputs):
        found = {**found, "says": found["says_of_complex"]}
    return found


def _siblings(name: str) -> list[str]:
    """Names of nodes that differ in the number at their end: variants of one operator."""
    return [f"{name.rstrip('0123456789')}{number}" for number in range(8)]


def _device(name: str) -> str:
    if name.startswith("cuda") and torch.cuda.is_available():
        return f"{name} ({torch.cuda.get_device_name(name)})"
    return name


def _file(name: str) -> SourceFile:
    text = text_of(name)
    return {"name": shorten(cell_of(text) or name), "code": text, "first_line": 1}


def _numpy() -> str:
    """The version of numpy, if the program has it; the recording does not use it."""
    return str(getattr(sys.modules.get("numpy"), "__version__", ""))


def encoded(document: Mapping[str, Any]) -> str:
    """The document as JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
