"""The run document (docs/trace.md) from what a recorder kept.

The program has ended: nothing that it can replace is called any more (`engine.trace.reading`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from engine.codegen import latex
from engine.codegen.op import Op
from engine.core.complex import conjugates
from engine.core.node import AccumulateGrad, Node
from engine.core.state import Culprit
from engine.core.tensor import Tensor
from engine.document import rows
from engine.document.limits import NAME, TEXT, class_name, shorten
from engine.document.numbers import plain
from engine.document.sizes import NODE
from engine.document.words import ACCUMULATES, ACCUMULATES_COMPLEX, UNRECORDED
from engine.nn.module import Module
from engine.trace import reading
from engine.trace.events import (
    RELEASED,
    AccumulateEvent,
    BackwardEndEvent,
    BackwardEvent,
    BindEvent,
    ErrorEvent,
    Event,
    FigureEvent,
    Gap,
    GradEvent,
    HookEvent,
    NodeEvent,
    OpRecord,
    PrintEvent,
    ReadEvent,
    Scope,
    TensorRecord,
    WarningEvent,
    WriteEvent,
)
from engine.trace.names import Names, Room, own_name
from engine.trace.recorder import Recorder
from engine.trace.sizes import SUMMARY
from engine.trace.storages import Storages
from engine.trace.values import Values
from engine.types import dtypes

float32 = np.float32
_FLOAT32 = reading.dtype_name(np.dtype(float32))
_SINGLE = frozenset({int, float, bool, str, type(None)})
ITEMS, DEPTH = 64, 6
"""Members of one argument that are shown, and how deep they may lie."""


def _is_complex(values: Sequence[Any]) -> bool:
    """Whether there is a complex tensor among them."""
    for t in values:
        if type(t) not in _SINGLE and reading.is_tensor(t):
            array = reading.array(t)
            if type(array) is not float32 and array.dtype.kind == "c":
                return True
    return False


class Builder:
    """Turns one recorder into one document; ids are handed out in creation order.

    `room`: bytes for tensors that only names lead to, and for modules.
    """

    def __init__(self, recorder: Recorder, variables: Mapping[str, Any], room: float) -> None:
        self.recorder, self.records = recorder, recorder.records
        self.variables = variables
        self.room = Room(recorder, room)
        self.values = Values(recorder.limits.inline_values)
        self.tensor_ids: dict[int, str] = {}
        self.tensor_list: list[TensorRecord] = []
        self.node_ids: dict[int, str] = {}
        self.node_list: list[Node] = []
        self.scope_ids: dict[int, str] = {}
        self.scope_list: list[Scope] = []
        self.op_ids: dict[int, str] = {}
        self.op_of_node = recorder.records.op_of_node()
        self.figure_ids = {key: f"f{i}" for i, key in enumerate(recorder.figures)}
        self._formulas: dict[tuple[Op, bool, str], dict[str, rows.Formula]] = {}
        self._edges: dict[int, tuple[tuple[Node | None, int], ...]] = {}
        self._symbols: dict[str, str] = {}
        self._classes: dict[type, tuple[str, bool]] = {}
        self._storages: Storages | None = None
        self.names = Names(recorder, variables, self.room, self._tensor_id)

    def build(self) -> dict[str, Any]:
        """Everything but id, source, stdout, warnings and error, which the caller knows."""
        recorder, records = self.recorder, self.records
        named, modules = self.names.find()
        for seen in list(records.tensors.values()):
            self._tensor_id(seen.tensor)
        for record in records.ops:
            self.op_ids[id(record)] = f"o{len(self.op_ids)}"
            if record.node is not None:
                self._node_id(record.node)
        training = self._training()
        optimizers, exits = self._optimizers(), self._exits()
        # Tensors are described last: the other tables may name more of them.
        events = self._events(records.events)
        ops = [self._op(record) for record in records.ops]
        tape = {} if recorder.tape is None else {"tape": recorder.tape.row(self)}
        self._close_nodes()
        if recorder.truncated is not None:
            self._leave_out_nodes(events)
        self._storages = Storages(records, self.tensor_ids, self.names.buffers())
        nodes = [self._node(node) for node in list(self.node_list)]
        tensors = [self._tensor(record) for record in self.tensor_list]
        self.values.write()
        return {
            "globals": {name: self._tensor_id(t) for name, t in named.items()},
            "modules": modules,
            "tensors": tensors,
            "nodes": nodes,
            **({"storages": self._storages.rows} if self._storages.rows else {}),
            "ops": ops,
            "scopes": [self._scope(scope) for scope in self.scope_list],
            "values": self.values.table,
            "events": events,
            **self._figures(),
            **({"training": training} if training else {}),
            **({"optimizers": optimizers} if optimizers else {}),
            **({"exits": exits} if exits else {}),
            **tape,
        }

    def _figures(self) -> dict[str, Any]:
        """What matplotlib drew; nothing in the documents of programs that do not draw."""
        figures = self.recorder.figures
        return {"figures": [{"id": self.figure_ids[key], **figures[key]} for key in figures]} if figures else {}

    def _training(self) -> list[rows.Series]:
        """Series of passes that one line began; nothing for a program that has no loop over `backward`."""
        return [series.row(self._tensor_id) for series in self.recorder.training.series.values() if series.passes > 1]

    def _optimizers(self) -> list[rows.Optimizer]:
        """Optimizers in the order they were made; nothing for a program without one."""
        names = {id(value): name for name, value in reversed(list(self.variables.items()))}
        found: list[rows.Optimizer] = []
        for made in self.recorder.optimizers.found.values():
            name = names.get(id(made.optimizer))
            held = [self._tensor_id(t) for t in made.tensors if reading.is_tensor(t) and self.room.affords(t, "")]
            self.room.left -= 120 + 40 * len(made.uses)
            found.append({
                "type": shorten(made.kind),
                "name": None if name is None else shorten(name),
                "line": _line(made.place),
                "tensors": held,
                "uses": [cast(Any, {**use.row(), "line": _line(use.place)}) for use in made.uses],
            })  # fmt: skip
        return found

    def _exits(self) -> list[rows.Exit]:
        """Where numbers left the graph."""
        found = [exit for exit in self.recorder.exits.found if id(exit[0]) in self.records.tensors]
        return [{"tensor": self._tensor_id(t), "how": cast(Any, how), "line": _line(at)} for t, how, at in found]

    def recorded(self) -> dict[str, Any]:
        """How much of the run the document tells: `recorded` and, unless that is all, `skipped`."""
        events = self.records.events
        gaps = [event for event in events if type(event) is Gap]
        recorded = {
            "ops": len(self.records.ops),
            "passes": sum([type(event) is BackwardEvent for event in events]),
            "events": len(events) - len(gaps),
        }
        return {"recorded": recorded, "skipped": self._sum(gaps) if gaps else None}

    def _sum(self, gaps: list[Gap]) -> rows.Amounts:
        return {
            "ops": sum([gap.ops for gap in gaps]),
            "passes": sum([gap.passes for gap in gaps]),
            "events": sum([gap.events for gap in gaps]),
        }

    def point_at(self, culprit: Culprit) -> tuple[list[str], list[str], list[int]]:
        """Tensors and nodes an error is about, and the lines that wrote to them since they were saved."""
        tensors: list[str] = []
        lines: list[int] = []
        if culprit.counter is not None:
            tensors = [
                self.tensor_ids[id(record.tensor)]
                for record in self.tensor_list
                if reading.counter(record.tensor) is culprit.counter
            ]
            for event in self.records.events:
                if type(event) is not WriteEvent or event.position is None:
                    continue
                if reading.counter(event.tensor) is culprit.counter and event.version > culprit.saved:
                    lines.append(int(event.position[0]))
        nodes = [self.node_ids[id(culprit.node)]] if id(culprit.node) in self.node_ids else []
        if culprit.node is not None and culprit.counter is None:
            record = self.op_of_node.get(id(culprit.node))
            if record is not None and record.position is not None:
                lines.append(int(record.position[0]))
        return tensors[:ITEMS], nodes, sorted(set(lines))[:ITEMS]

    # Ids

    def tensor_id(self, t: Tensor) -> str:
        """The id of a tensor in the document."""
        return self._tensor_id(t)

    def node_id(self, node: Node) -> str:
        """The id of a node in the document."""
        return self._node_id(node)

    def _tensor_id(self, t: Tensor) -> str:
        found = self.tensor_ids.get(id(t))
        if found is None:
            record = self.recorder.tensor(t)
            found = self.tensor_ids[id(t)] = f"t{len(self.tensor_ids)}"
            self.tensor_list.append(record)
        return found

    def _node_id(self, node: Node) -> str:
        found = self.node_ids.get(id(node))
        if found is None:
            found = self.node_ids[id(node)] = f"n{len(self.node_ids)}"
            self.node_list.append(node)
        return found

    def _scope_id(self, scope: Scope) -> str:
        found = self.scope_ids.get(id(scope))
        if found is None:
            chain: list[Scope] = []
            current: Scope | None = scope
            while current is not None and id(current) not in self.scope_ids:
                chain.append(current)
                current = current.parent
            for item in reversed(chain):
                self.scope_ids[id(item)] = f"s{len(self.scope_ids)}"
                self.scope_list.append(item)
            found = self.scope_ids[id(scope)]
        return found

    def _close_nodes(self) -> None:
        """Every node that a tensor or an edge leads to is in the document, and so is every leaf of such a node.

        Of a run that was not recorded as a whole, so many that there is room for them.
        """
        todo = list(self.node_list)
        described, known, whole = 0, self.node_ids, self.recorder.truncated is None
        while todo or described < len(self.tensor_list):
            while todo:
                node = todo.pop()
                if self._class(node)[1]:
                    leaf = reading.variable(node)
                    if leaf is not None:
                        self._tensor_id(leaf)
                edges = self._edges[id(node)] = reading.edges(node)
                for edge, _ in edges:
                    if edge is not None and id(edge) not in known and (whole or self._affords_node(edge)):
                        self._node_id(edge)
                        todo.append(edge)
            for record in self.tensor_list[described:]:
                grad_fn = reading.grad_fn(record.tensor)
                if grad_fn is not None and id(grad_fn) not in known:
                    self._node_id(grad_fn)
                    todo.append(grad_fn)
                described += 1

    def _leave_out_nodes(self, events: list[rows.Event]) -> None:
        """A pass that was recorded in part reaches the nodes of the document."""
        for event in events:
            if event["kind"] == "backward":
                event["reachable"] = [self.node_ids[id(n)] for n in event["reachable"] if id(n) in self.node_ids]

    def _affords_node(self, node: Node) -> bool:
        leaf = reading.variable(node) if self._class(node)[1] else None
        return self.room.take(NODE if leaf is None or id(leaf) in self.tensor_ids else 2 * NODE + SUMMARY)

    # Tables

    def _tensor(self, record: TensorRecord) -> rows.Tensor:
        t, ref, hold = record.tensor, self.values.ref, self.records.hold
        now = reading.Fields(t)
        array, grad_fn, grad, view = now.array, now.grad_fn, now.grad, now.view
        name = None if record.name is None else shorten(record.name)
        return {
            "id": self.tensor_ids[id(t)],
            "name": name,
            "path": name if name is not None and "." in name else None,
            "shape": list(array.shape),
            "dtype": _FLOAT32 if type(array) is float32 else reading.dtype_name(array.dtype),
            "requires_grad": now.requires_grad,
            "is_leaf": grad_fn is None,
            "grad_fn": None if grad_fn is None else self._node_id(grad_fn),
            "output_nr": now.output_nr,
            "retains_grad": now.retains_grad,
            "version": now.version,
            "value": ref(record.value),
            "final": ref(hold(array)),
            "grad": None if grad is None else ref(hold(grad)),
            "line": _line(record.position),
            "scope": self._scope_id(record.scope),
            "view_of": None if view is None else self.tensor_ids.get(id(view.base)),
            "detached_from": None if now.cut is None else self._source(now.cut),
            "why_no_grad": None if now.requires_grad else self._cut(record),
        }

    def _source(self, cut: tuple[Tensor | None, str]) -> str | None:
        """What `detach()` or `.data` took the tensor from: it still shares that tensor's memory."""
        return None if cut[0] is None else self.tensor_ids.get(id(cut[0]))

    def _cut(self, record: TensorRecord) -> rows.WhyNoGrad:
        """Why a tensor has no gradient: where its path to the leaves was cut."""
        t = record.tensor
        line = _line(record.position)
        cut = reading.cut(t)
        if cut is not None:
            source, how = cut
            if source is None or reading.requires_grad(source):
                return {"cut": how, "line": line}
        integer = reading.array(t).dtype.kind not in dtypes.INEXACT
        op = self._made_by().get(id(t))
        if op is None:
            return {"cut": "integer" if integer else "leaf_without_requires_grad", "line": line}
        wanted = any(reading.requires_grad(source) for source in _tensors(op.inputs))
        later = op.node is None and op.recording and op.op.node_name is not None and not integer
        if not wanted or later:  # what requires grad by now did not then
            return {"cut": "inputs_without_requires_grad", "line": line}
        if op.op.node_name is None:
            return {"cut": "integer" if integer else "not_differentiable", "line": line}
        return {"cut": "integer" if integer else "no_grad", "line": line}

    _makers: dict[int, OpRecord] | None = None

    def _made_by(self) -> dict[int, OpRecord]:
        if self._makers is None:
            self._makers = {}
            for record in self.records.ops:
                for out in record.outputs:
                    self._makers.setdefault(id(out), record)
        return self._makers

    def _node(self, node: Node) -> rows.Node:
        key, node_ids = id(node), self.node_ids
        record = self.op_of_node.get(key)
        name, accumulates = self._class(node)
        leaf = reading.variable(node) if accumulates else None
        following: list[rows.Edge | None] = []
        cut = False
        edges = self._edges.get(key)
        for edge, number in reading.edges(node) if edges is None else edges:
            to = node_ids.get(id(edge))
            following.append(None if to is None else _edge(to, number))
            cut = cut or to is None and edge is not None
        described: rows.Node = {
            "id": node_ids[key],
            "name": name,
            "sequence_nr": None if accumulates else reading.sequence_nr(node),
            "next_functions": following,
            "variable": None if leaf is None else self.tensor_ids[id(leaf)],
            "saved": {},
            "attributes": {},
            "op": None if record is None else self.op_ids[id(record)],
            "line": None if record is None else _line(record.position),
            "scope": self._scope_id(self.recorder.root if record is None else record.scope),
            "formula": {},
            "says": None,
        }
        if cut:
            described["cut"] = True
        if accumulates:
            described["says"] = ACCUMULATES_COMPLEX if _is_complex([leaf]) else ACCUMULATES
            return described
        op = node.op if node.op is not None else getattr(record, "op", None)
        if op is None:
            return described
        known = () if record is None else self._known(record)
        made = record is not None and op.multiplies and conjugates(op) and _is_complex(record.outputs)
        described["formula"] = self._formula(op, known, made)
        described["says"] = op.says or None
        if record is not None and op.multiplies and op.says_of_complex and _is_complex(record.inputs):
            described["says"] = op.says_of_complex
        if record is not None and record.saved:
            names = op.saved_tensors + op.saved_outputs  # of a custom Function: those it gave to `save_for_backward`
            names = names or [f"saved_tensors[{number}]" for number in range(len(record.saved))]
            described["saved"] = {
                name: self._saved(value) for name, value in zip(names, record.saved, strict=False) if value is not None
            }
        if record is not None and self._storages is not None:
            keeps = self._storages.of(record)
            if keeps:
                described["keeps"] = keeps
        given = reading.arguments(node)
        if node.op is not None and given:
            kept = op.saved_values + op.saved_attributes
            described["attributes"] = {
                name.replace("__", "."): _json(value) for name, value in zip(kept, given, strict=False)
            }
        return described

    def _class(self, node: Node) -> tuple[str, bool]:
        """The name of a node's class, and whether it accumulates."""
        kind = type(node)
        found = self._classes.get(kind)
        if found is None:
            found = self._classes[kind] = shorten(class_name(kind)), issubclass(kind, AccumulateGrad)
        return found

    def _formula(self, op: Op, known: tuple[tuple[str, latex.Known], ...], conjugate: bool) -> dict[str, rows.Formula]:
        """The formulas of an op for one call; the calls of a loop have them in common."""
        key = op, conjugate, repr(known)
        found = self._formulas.get(key)
        if found is None:
            found = self._formulas[key] = latex.described(op.formulas, op.tex, known, conjugate)
        return found

    def _known(self, record: OpRecord) -> tuple[tuple[str, latex.Known], ...]:
        """What the call gave for the parameters of its formulas: names of variables as LaTeX, and plain values."""
        shown: list[tuple[str, latex.Known]] = []
        for parameter, value in zip(record.op.parameters, record.inputs, strict=False):
            if value is None or type(value) in (bool, int, float):
                shown.append((parameter.name, value))
            elif reading.is_tensor(value):
                name = self.recorder.tensor(value).name
                if name is not None:
                    shown.append((parameter.name, self._symbol(own_name(name))))
        outputs = record.outputs
        if len(outputs) == 1:
            name = self.recorder.tensor(outputs[0]).name
            if name is not None:
                shown.append(("result", self._symbol(name)))
        return tuple(shown)

    def _symbol(self, name: str) -> str:
        found = self._symbols.get(name)
        if found is None:
            found = self._symbols[name] = latex.symbol(shorten(name))
        return found

    def _saved(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.values.ref(v) for v in value]
        return self.values.ref(value)

    def _op(self, record: OpRecord) -> rows.Op:
        position = record.position or (None, None, None, None)
        arguments = getattr(record.op, "arguments", None)
        return {
            "id": self.op_ids[id(record)],
            "name": shorten(record.op.name),
            "inputs": [self._tensor_id(t) for t in _tensors(record.inputs)],
            "outputs": [self._tensor_id(t) for t in record.outputs],
            "node": None if record.node is None else self.node_ids[id(record.node)],
            "line": position[0],
            "column": position[1],
            "end_line": position[2],
            "end_column": position[3],
            "scope": self._scope_id(record.scope),
            "arguments": {} if arguments is None else _shown(arguments([reading.plain(v) for v in record.inputs])),
        }

    def _scope(self, scope: Scope) -> rows.Scope:
        return {
            "id": self.scope_ids[id(scope)],
            "parent": None if scope.parent is None else self.scope_ids[id(scope.parent)],
            "kind": scope.kind,
            "label": shorten(scope.label),
            "line": scope.line,
            "iteration": scope.iteration,
        }

    # The timeline

    def _events(self, events: list[Event]) -> list[rows.Event]:
        found: list[rows.Event] = []
        for event in events:
            if type(event) is OpRecord:
                position = event.position
                line = None if position is None else position[0]
                found.append({"kind": "op", "op": self.op_ids[id(event)], "line": line})
            elif event is RELEASED:
                ran: Any = found[-1]
                found.append({"kind": "release", "call": ran["call"], "node": ran["node"]})
            else:
                found.append(_DESCRIBE[type(event)](self, event))
        return found

    def _bind_event(self, event: BindEvent) -> rows.BindEvent:
        return {
            "kind": "bind",
            "name": shorten(event.name),
            "tensor": self._tensor_id(event.tensor),
            "line": _line(event.position),
        }

    def _write_event(self, event: WriteEvent) -> rows.WriteEvent:
        written: rows.WriteEvent = {
            "kind": "write",
            "tensor": self._tensor_id(event.tensor),
            "version": event.version,
            "value": self.values.ref(event.value),
            "line": _line(event.position),
        }
        if event.position is None:
            written["by"] = UNRECORDED
        return written

    def _read_event(self, event: ReadEvent) -> rows.ReadEvent:
        target, value = event.target, event.value
        of = {"tensor": self._tensor_id(target)} if isinstance(target, Tensor) else {"node": self._node_id(target)}
        read = {
            "kind": "read",
            **of,
            "attribute": event.attribute,
            "index": list(event.index[:ITEMS]),
            "value": self._node_id(value) if isinstance(value, Node) else self._flag_or_value(value),
            "line": _line(event.position),
        }
        return cast(rows.ReadEvent, read)

    def _flag_or_value(self, value: Any) -> bool | str | None:
        return value if type(value) is bool else self.values.ref(value)

    def _print_event(self, event: PrintEvent) -> rows.PrintEvent:
        return {"kind": "print", "text": event.text, "line": _line(event.position)}

    def _backward_event(self, event: BackwardEvent) -> rows.BackwardEvent:
        whole = self.recorder.truncated is None
        inputs, reachable = event.inputs, cast(list[Any], event.reachable)
        return {
            "kind": "backward",
            "call": event.call,
            "roots": [_edge(self._node_id(node), number) for node, number in event.roots],
            "gradients": [self.values.ref(g) for g in event.gradients],
            "retain_graph": event.retain_graph,
            "create_graph": event.create_graph,
            "inputs": None if inputs is None else [self._tensor_id(t) for t in inputs if reading.is_tensor(t)],
            "line": _line(event.position),
            "reachable": [self._node_id(node) for node in reachable] if whole else reachable,
        }

    def _node_event(self, event: NodeEvent) -> rows.NodeEvent:
        ref, node_id = self.values.ref, self._node_id
        call, node, grad_outputs, grad_inputs, sends, ready, _ = event
        tape = self.recorder.tape
        line = None if tape is None else tape.line(call, node)
        sent: list[rows.Send] = []
        described: rows.NodeEvent = {
            "kind": "node",
            "call": call,
            "node": node_id(node),
            "grad_outputs": list(map(ref, grad_outputs)),
            "grad_inputs": list(map(ref, grad_inputs)),
            "sends": sent,
            "ready": [],
        }
        for to, number, value, arrived, expected, total in sends:
            sent.append({
                "to": node_id(to),
                "input_nr": number,
                "value": ref(value),
                "arrived": arrived,
                "expected": expected,
                "sum": ref(total),
            })  # fmt: skip
        described["ready"] = list(map(node_id, ready))
        if line is not None:
            described["line"] = line
        return described

    def _hook_event(self, event: HookEvent) -> rows.HookEvent:
        return {
            "kind": "hook",
            "on": event.on,
            "target": self._target(event.target),
            "before": [self.values.ref(v) for v in event.before],
            "after": [self.values.ref(v) for v in event.after],
            "registered": _line(event.registered),
            "line": _line(event.position),
        }

    def _target(self, target: Any) -> str | None:
        kind = type(target)
        if kind is tuple:
            node, number = target
            record = self.op_of_node.get(id(node))
            if record is not None and number < len(record.outputs):
                return self._tensor_id(record.outputs[number])
            return self._node_id(node)
        if reading.is_tensor(target):
            return self._tensor_id(target)
        if issubclass(kind, Node):
            return self._node_id(target)
        if issubclass(kind, Module):
            return self.names.module_paths.get(id(target), shorten(class_name(kind)))
        return None

    def _accumulate_event(self, event: AccumulateEvent) -> rows.AccumulateEvent:
        ref = self.values.ref
        return {
            "kind": "accumulate",
            "call": event.call,
            "node": self._node_id(event.node),
            "tensor": self._tensor_id(event.tensor),
            "before": ref(event.before),
            "incoming": ref(event.incoming),
            "after": ref(event.after),
        }

    def _backward_end_event(self, event: BackwardEndEvent) -> rows.BackwardEndEvent:
        return {"kind": "backward_end", "call": event.call}

    def _grad_event(self, event: GradEvent) -> rows.GradEvent:
        return {
            "kind": "grad",
            "tensor": self._tensor_id(event.tensor),
            "before": self.values.ref(event.before),
            "after": self.values.ref(event.after),
            "line": _line(event.position),
            "by": event.by,
        }

    def _warning_event(self, event: WarningEvent) -> rows.WarningEvent:
        return {
            "kind": "warning",
            "category": shorten(event.category),
            "message": shorten(event.message, TEXT),
            "line": event.line,
        }

    def _figure_event(self, event: FigureEvent) -> rows.FigureEvent:
        return {
            "kind": "figure",
            "figure": self.figure_ids[id(event.figure)],
            "how": cast(Any, event.how),
            "file": event.file,
            "line": _line(event.position),
        }

    def _gap(self, gap: Gap) -> rows.GapEvent:
        return {"kind": "gap", **self._sum([gap])}

    def _error_event(self, _: ErrorEvent) -> rows.ErrorEvent:
        return {"kind": "error"}


_DESCRIBE: dict[type, Callable[[Builder, Any], rows.Event]] = {
    BindEvent: Builder._bind_event,
    WriteEvent: Builder._write_event,
    PrintEvent: Builder._print_event,
    ReadEvent: Builder._read_event,
    WarningEvent: Builder._warning_event,
    FigureEvent: Builder._figure_event,
    BackwardEvent: Builder._backward_event,
    tuple: Builder._node_event,
    HookEvent: Builder._hook_event,
    AccumulateEvent: Builder._accumulate_event,
    GradEvent: Builder._grad_event,
    BackwardEndEvent: Builder._backward_end_event,
    Gap: Builder._gap,
    ErrorEvent: Builder._error_event,
}
"""The row of an event, by its class."""


def _line(position: Any) -> int | None:
    return None if position is None else int(position[0])


def _edge(node: str, number: int) -> rows.Edge:
    """A pair; a list, as it is when it is read again."""
    return cast(rows.Edge, [node, number])


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    """The tensors among the arguments of an op, and in lists of its arguments."""
    found: list[Tensor] = []
    for value in values:
        if reading.is_tensor(value):
            found.append(value)
        elif type(value) not in _SINGLE and issubclass(type(value), list | tuple):
            found += [t for _, t in reading.items(value) if reading.is_tensor(t)]
    return found


def _shown(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _json(value) for name, value in arguments.items()}


def _json(value: Any, depth: int = 0) -> Any:
    """An argument as JSON: numbers and strings as they are, tensors by shape, everything else as text."""
    kind = type(value)
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if abs(value) < 2**53 else shorten(hex(value) if value.bit_length() > NAME else str(value))
    if kind is str:
        return shorten(value)
    if kind in (float, complex):
        return plain(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.dtype):
        return f"torch.{reading.dtype_name(value)}"
    if kind is slice:
        ends = [_json(end, depth + 1) for end in (value.start, value.stop)]
        return ":".join(["" if end is None else str(end) for end in ends])
    if reading.is_tensor(value):
        return f"tensor{tuple(reading.array(value).shape)}"
    if kind is np.ndarray:
        return f"array{value.shape}"
    if reading.length(value) and depth >= DEPTH:
        return "…"
    if issubclass(kind, tuple | list):
        return [_json(item, depth + 1) for _, item in _first(value, depth)]
    if issubclass(kind, dict):
        pairs = _first(value, depth)
        return {shorten(k) if type(k) is str else reading.key_text(k): _json(v, depth + 1) for k, v in pairs}
    return "..." if value is Ellipsis else str(value) if kind is dtypes.dtype else shorten(class_name(kind))


def _first(value: Any, depth: int) -> list[tuple[Any, Any]]:
    return [pair for pair, _ in zip(reading.items(value), range(max(ITEMS >> 2 * depth, 2)), strict=False)]
