"""The run document (docs/trace.md) from what a recorder kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from engine import dtypes, tex
from engine.nn.module import Module
from engine.nn.parameter import Parameter
from engine.node import AccumulateGrad, Node
from engine.state import Blame
from engine.tensor import Tensor
from engine.trace.recorder import Birth, OpRecord, Recorder, Scope
from engine.trace.values import Values, plain

MEMBERS = 20
"""Members of lists, tuples and dicts that `globals` names."""


def _members(name: str, value: Any) -> list[tuple[str, Tensor]]:
    """The tensors that a local variable holds, as a reader of the program would write them."""
    if isinstance(value, Module):
        if "_parameters" not in vars(value):  # its class forgot super().__init__()
            return []
        return [(f"{name}.{path}", t) for path, t in [*value.named_parameters(), *value.named_buffers()]]
    if len(value) > MEMBERS:
        return []
    pairs: Iterable[tuple[Any, Any]] = dict.items(value) if isinstance(value, dict) else enumerate(value)
    return [(f"{name}[{key!r}]", t) for key, t in pairs if isinstance(t, Tensor) and type(key) in (int, str)]


class Builder:
    """Turns one recorder into one document; ids are handed out in creation order."""

    def __init__(self, recorder: Recorder, variables: Mapping[str, Any]) -> None:
        self.recorder = recorder
        self.variables = variables
        self.values = Values(recorder.limits.inline_values)
        self.tensor_ids: dict[int, str] = {}
        self.tensor_list: list[Birth] = []
        self.node_ids: dict[Node, str] = {}
        self.scope_ids: dict[int, str] = {}
        self.scope_list: list[Scope] = []
        self.op_ids: dict[int, str] = {}
        self.lines: dict[Node, int | None] = {}
        self.module_paths: dict[Module, str] = {}

    def build(self) -> dict[str, Any]:
        """Everything but id, source, stdout, warnings and error, which the caller knows."""
        recorder = self.recorder
        recorder.settle()
        named, modules = self._names()
        for birth in list(recorder.births.values()):
            self._tensor_id(birth.tensor)
        for record in recorder.ops:
            self.op_ids[id(record)] = f"o{len(self.op_ids)}"
            if record.node is not None:
                self._node_id(record.node)
        # Tensors are described last: the other tables may name more of them.
        events = [self._event(event) for event in recorder.events]
        ops = [self._op(record) for record in recorder.ops]
        self._close_nodes()
        nodes = [self._node(node) for node in list(self.node_ids)]
        tensors = [self._tensor(birth) for birth in self.tensor_list]
        return {
            "globals": {name: self._tensor_id(t) for name, t in named.items()},
            "modules": modules,
            "tensors": tensors,
            "nodes": nodes,
            "ops": ops,
            "scopes": [self._scope(scope) for scope in self.scope_list],
            "values": self.values.table,
            "events": events,
        }

    def point_at(self, blame: Blame) -> tuple[list[str], list[str], list[int]]:
        """Tensors and nodes an error is about, and the lines that wrote to them."""
        tensors: list[str] = []
        lines: list[int] = []
        if blame.counter is not None:
            tensors = [self.tensor_ids[id(b.tensor)] for b in self.tensor_list if b.tensor._vc is blame.counter]
            for event in self.recorder.events:
                if event[0] == "write" and event[1]._vc is blame.counter and event[4] is not None:
                    lines.append(int(event[4][0]))
        nodes = [self.node_ids[blame.node]] if blame.node in self.node_ids else []
        if blame.node is not None and blame.counter is None:
            record = self.recorder.op_of_node.get(blame.node)
            if record is not None and record.position is not None:
                lines.append(int(record.position[0]))
        return tensors, nodes, sorted(set(lines))

    # --- names

    def _names(self) -> tuple[dict[str, Tensor], list[dict[str, Any]]]:
        """What top-level names hold at the end; modules with the ids of their parameters."""
        named: dict[str, Tensor] = {}
        modules: list[dict[str, Any]] = []
        for name, value in self.variables.items():
            if isinstance(value, Tensor):
                named[name] = value
                birth = self.recorder.tensor(value)
                birth.name = birth.name or name
        for name, value in self.variables.items():
            if isinstance(value, Module):
                for path, parameter in [*value.named_parameters(), *value.named_buffers()]:
                    named.setdefault(f"{name}.{path}", parameter)
                    self._name_member(parameter, f"{name}.{path}")
                for path, module in value.named_modules():
                    self.module_paths.setdefault(module, f"{name}.{path}" if path else name)
                    held = {k: p for k, p in module._parameters.items() if p is not None}
                    modules.append(
                        {
                            "path": f"{name}.{path}" if path else name,
                            "type": type(module).__name__,
                            "parameters": {k: self._tensor_id(p) for k, p in held.items()},
                        }
                    )
            elif isinstance(value, list | tuple) and len(value) <= MEMBERS:
                for index, item in enumerate(value):
                    if isinstance(item, Tensor):
                        named[f"{name}[{index}]"] = item
            elif isinstance(value, dict) and len(value) <= MEMBERS:
                for key, item in value.items():
                    if isinstance(item, Tensor):
                        named[f"{name}[{key!r}]"] = item
        for name, t in named.items():
            birth = self.recorder.tensor(t)
            birth.name = birth.name or name
        holders = [(_members(name, value), variable) for name, value, variable in self.recorder.holders.values()]
        # Variables before arguments such as `self`, and a whole model before its parts.
        for members, _ in sorted(holders, key=lambda holder: (not holder[1], -len(holder[0]))):
            for path, member in members:
                self._name_member(member, path)
        for name, t in self.recorder.parameters.values():
            birth = self.recorder.tensor(t)
            birth.name = birth.name or name
        return named, modules

    def _name_member(self, t: Tensor, path: str) -> None:
        """Where a module keeps a parameter says more than the loop variable that once was it."""
        birth = self.recorder.births.get(id(t))
        if birth is not None and (birth.name is None or isinstance(t, Parameter) and "." not in birth.name):
            birth.name = path

    # --- ids

    def _tensor_id(self, t: Tensor) -> str:
        found = self.tensor_ids.get(id(t))
        if found is None:
            birth = self.recorder.tensor(t)
            found = self.tensor_ids[id(t)] = f"t{len(self.tensor_ids)}"
            self.tensor_list.append(birth)
        return found

    def _node_id(self, node: Node) -> str:
        found = self.node_ids.get(node)
        if found is None:
            found = self.node_ids[node] = f"n{len(self.node_ids)}"
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
        """Every node that a tensor or an edge leads to is in the document, and so is every leaf of such a node."""
        todo = list(self.node_ids)
        described = 0
        while todo or described < len(self.tensor_list):
            while todo:
                node = todo.pop()
                if isinstance(node, AccumulateGrad):
                    self._tensor_id(node.variable)
                for edge in node.edges:
                    if edge is not None and edge not in self.node_ids:
                        self._node_id(edge)
                        todo.append(edge)
            for birth in self.tensor_list[described:]:
                grad_fn = _grad_fn(birth.tensor)
                if grad_fn is not None and grad_fn not in self.node_ids:
                    self._node_id(grad_fn)
                    todo.append(grad_fn)
                described += 1

    # --- tables

    def _tensor(self, birth: Birth) -> dict[str, Any]:
        t = birth.tensor
        grad_fn = _grad_fn(t)
        array = t._a
        grad = t._grad
        return {
            "id": self.tensor_ids[id(t)],
            "name": birth.name,
            "path": birth.name if birth.name is not None and "." in birth.name else None,
            "shape": list(array.shape),
            "dtype": dtypes.of(array.dtype).name,
            "requires_grad": t._rg,
            "is_leaf": grad_fn is None,
            "grad_fn": None if grad_fn is None else self._node_id(grad_fn),
            "output_nr": t._nr,
            "retains_grad": t._retains,
            "version": 0 if t._vc is None else t._vc.n,
            "value": self.values.ref(birth.value),
            "final": self.values.ref(self.recorder.hold(array)),
            "grad": None if grad is None else self.values.ref(self.recorder.hold(grad._a)),
            "line": _line(birth.position),
            "scope": self._scope_id(birth.scope),
            "view_of": None if t._view is None else self.tensor_ids.get(id(t._view.base)),
            "detached_from": self._source(t),
            "why_no_grad": None if t._rg else self._cut(birth),
        }

    def _source(self, t: Tensor) -> str | None:
        """What `detach()` or `.data` took the tensor from: it still shares that tensor's memory."""
        return None if t._cut is None or t._cut[0] is None else self.tensor_ids.get(id(t._cut[0]))

    def _cut(self, birth: Birth) -> dict[str, Any]:
        """Why a tensor has no gradient: where its path to the leaves was cut."""
        t = birth.tensor
        line = _line(birth.position)
        if t._cut is not None:
            source, how = t._cut
            if source is None or source._rg:
                return {"cut": how, "line": line}
        record = self._made_by().get(id(t))
        if record is None:
            return {"cut": "integer" if t._a.dtype.kind not in "fc" else "leaf_without_requires_grad", "line": line}
        wanted = any(source._rg for source in _tensors(record.inputs))
        if not wanted:
            return {"cut": "inputs_without_requires_grad", "line": line}
        if record.op.node_name is None:
            integer = t._a.dtype.kind not in "fc"
            return {"cut": "integer" if integer else "not_differentiable", "line": line}
        if t._a.dtype.kind not in "fc":
            return {"cut": "integer", "line": line}
        return {"cut": "no_grad", "line": line}

    _makers: dict[int, OpRecord] | None = None

    def _made_by(self) -> dict[int, OpRecord]:
        if self._makers is None:
            self._makers = {}
            for record in self.recorder.ops:
                for out in record.outputs:
                    self._makers.setdefault(id(out), record)
        return self._makers

    def _node(self, node: Node) -> dict[str, Any]:
        record = self.recorder.op_of_node.get(node)
        numbers = node.numbers or (0,) * len(node.edges)
        described: dict[str, Any] = {
            "id": self.node_ids[node],
            "name": type(node).__name__,
            "sequence_nr": None if isinstance(node, AccumulateGrad) else node.seq,
            "next_functions": [
                None if edge is None else [self.node_ids[edge], number]
                for edge, number in zip(node.edges, numbers, strict=True)
            ],
            "variable": self.tensor_ids[id(node.variable)] if isinstance(node, AccumulateGrad) else None,
            "saved": {},
            "attributes": {},
            "op": None if record is None else self.op_ids[id(record)],
            "line": None if record is None else _line(record.position),
            "scope": self._scope_id(self.recorder.root if record is None else record.scope),
            "formula": {},
            "says": None,
        }
        if isinstance(node, AccumulateGrad):
            described["says"] = "adds what arrives to the leaf's .grad"
            return described
        op = node.op if node.op is not None else getattr(record, "op", None)
        if op is None:
            return described
        known = () if record is None else self._known(record)
        described["formula"] = tex.described(op.formulas, op.tex, known)
        described["says"] = op.says or None
        if record is not None and record.saved:
            names = op.saved_tensors + op.saved_outputs
            described["saved"] = {
                name: self._saved(value) for name, value in zip(names, record.saved, strict=False) if value is not None
            }
        if node.op is not None and node.args:
            kept = op.saved_values + op.saved_attributes
            described["attributes"] = {
                name.replace("__", "."): _json(value) for name, value in zip(kept, node.args, strict=False)
            }
        return described

    def _known(self, record: OpRecord) -> tuple[tuple[str, tex.Known], ...]:
        """What the call gave for the parameters of its formulas: names of variables as LaTeX, and plain values."""
        shown: list[tuple[str, tex.Known]] = []
        for parameter, value in zip(record.op.parameters, record.inputs, strict=False):
            if isinstance(value, Tensor):
                name = self.recorder.tensor(value).name
                if name is not None:
                    shown.append((parameter.name, tex.symbol(name.rpartition(".")[2])))
            elif value is None or isinstance(value, int | float):
                shown.append((parameter.name, value))
        if len(record.outputs) == 1:
            name = self.recorder.tensor(record.outputs[0]).name
            if name is not None:
                shown.append(("result", tex.symbol(name)))
        return tuple(shown)

    def _saved(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.values.ref(v) for v in value]
        return self.values.ref(value)

    def _op(self, record: OpRecord) -> dict[str, Any]:
        position = record.position or (None, None, None, None)
        arguments = getattr(record.op, "arguments", None)
        return {
            "id": self.op_ids[id(record)],
            "name": record.op.name,
            "inputs": [self._tensor_id(t) for t in _tensors(record.inputs)],
            "outputs": [self._tensor_id(t) for t in record.outputs],
            "node": None if record.node is None else self.node_ids[record.node],
            "line": position[0],
            "column": position[1],
            "end_line": position[2],
            "end_column": position[3],
            "scope": self._scope_id(record.scope),
            "arguments": {} if arguments is None else {k: _json(v) for k, v in arguments(record.inputs).items()},
        }

    def _scope(self, scope: Scope) -> dict[str, Any]:
        return {
            "id": self.scope_ids[id(scope)],
            "parent": None if scope.parent is None else self.scope_ids[id(scope.parent)],
            "kind": scope.kind,
            "label": scope.label,
            "line": scope.line,
            "iteration": scope.iteration,
        }

    # --- the timeline

    def _event(self, event: tuple[Any, ...]) -> dict[str, Any]:
        described: dict[str, Any] = getattr(self, "_event_" + event[0])(*event[1:])
        return described

    def _event_op(self, record: OpRecord, position: Any) -> dict[str, Any]:
        return {"kind": "op", "op": self.op_ids[id(record)], "line": _line(position)}

    def _event_bind(self, name: str, t: Tensor, position: Any) -> dict[str, Any]:
        return {"kind": "bind", "name": name, "tensor": self._tensor_id(t), "line": _line(position)}

    def _event_write(self, t: Tensor, version: int, value: Any, position: Any) -> dict[str, Any]:
        return {
            "kind": "write",
            "tensor": self._tensor_id(t),
            "version": version,
            "value": self.values.ref(value),
            "line": _line(position),
        }

    def _event_print(self, text: str, position: Any) -> dict[str, Any]:
        return {"kind": "print", "text": text, "line": _line(position)}

    def _event_backward(
        self,
        call: int,
        roots: list[Any],
        gradients: Iterable[Any],
        retain: bool,
        create: bool,
        inputs: list[Any] | None,
        reachable: list[Node],
        position: Any,
    ) -> dict[str, Any]:
        return {
            "kind": "backward",
            "call": call,
            "roots": [[self._node_id(node), number] for node, number in roots],
            "gradients": [self.values.ref(g) for g in gradients],
            "retain_graph": retain,
            "create_graph": create,
            "inputs": None if inputs is None else [self._tensor_id(t) for t in inputs if isinstance(t, Tensor)],
            "line": _line(position),
            "reachable": [self._node_id(node) for node in reachable],
        }

    def _event_node(
        self, call: int, node: Node, grad_outputs: Any, grad_inputs: Any, sends: Any, ready: list[Node]
    ) -> dict[str, Any]:
        ref = self.values.ref
        return {
            "kind": "node",
            "call": call,
            "node": self._node_id(node),
            "grad_outputs": [ref(g) for g in grad_outputs],
            "grad_inputs": [ref(g) for g in grad_inputs],
            "sends": [
                {
                    "to": self._node_id(to),
                    "input_nr": number,
                    "value": ref(value),
                    "arrived": arrived,
                    "expected": expected,
                    "sum": ref(total),
                }
                for to, number, value, arrived, expected, total in sends
            ],
            "ready": [self._node_id(n) for n in ready],
        }

    def _event_hook(
        self, on: str, target: Any, before: Any, after: Any, registered: Any, position: Any
    ) -> dict[str, Any]:
        return {
            "kind": "hook",
            "on": on,
            "target": self._target(target),
            "before": [self.values.ref(v) for v in before],
            "after": [self.values.ref(v) for v in after],
            "registered": _line(registered),
            "line": _line(position),
        }

    def _target(self, target: Any) -> str | None:
        if isinstance(target, Tensor):
            return self._tensor_id(target)
        if isinstance(target, Node):
            return self._node_id(target)
        if isinstance(target, tuple):
            node, number = target
            record = self.recorder.op_of_node.get(node)
            if record is not None and number < len(record.outputs):
                return self._tensor_id(record.outputs[number])
            return self._node_id(node)
        if isinstance(target, Module):
            return self.module_paths.get(target, type(target).__name__)
        return None

    def _event_accumulate(
        self, call: int, node: Node, t: Tensor, before: Any, incoming: Any, after: Any
    ) -> dict[str, Any]:
        ref = self.values.ref
        return {
            "kind": "accumulate",
            "call": call,
            "node": self._node_id(node),
            "tensor": self._tensor_id(t),
            "before": ref(before),
            "incoming": ref(incoming),
            "after": ref(after),
        }

    def _event_release(self, call: int, node: Node) -> dict[str, Any]:
        return {"kind": "release", "call": call, "node": self._node_id(node)}

    def _event_backward_end(self, call: int) -> dict[str, Any]:
        return {"kind": "backward_end", "call": call}

    def _event_grad(self, t: Tensor, before: Any, after: Any, by: str, position: Any) -> dict[str, Any]:
        return {
            "kind": "grad",
            "tensor": self._tensor_id(t),
            "before": self.values.ref(before),
            "after": self.values.ref(after),
            "line": _line(position),
            "by": by,
        }

    def _event_warning(self, category: str, message: str, line: int | None) -> dict[str, Any]:
        return {"kind": "warning", "category": category, "message": message, "line": line}

    def _event_error(self) -> dict[str, Any]:
        return {"kind": "error"}


def _grad_fn(t: Tensor) -> Node | None:
    """The node PyTorch would show; a view whose grad_fn may not be read any more keeps its last one."""
    try:
        return t.grad_fn
    except RuntimeError:
        return t._fn


def _line(position: Any) -> int | None:
    return None if position is None else int(position[0])


def _tensors(values: Iterable[Any]) -> list[Tensor]:
    found: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif isinstance(value, list | tuple):
            found.extend(_tensors(value))
    return found


def _json(value: Any) -> Any:
    """An argument as JSON: numbers and strings as they are, tensors by shape, everything else as text."""
    if value is None or isinstance(value, bool | int | str):
        return value if not isinstance(value, int) or abs(value) < 2**53 else str(value)
    if isinstance(value, float | complex):
        return plain(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.dtype):
        return f"torch.{dtypes.of(value).name}"
    if isinstance(value, slice):
        return f"{'' if value.start is None else value.start}:{'' if value.stop is None else value.stop}"
    if isinstance(value, Tensor):
        return f"tensor{tuple(value._a.shape)}"
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    if isinstance(value, tuple | list):
        return [_json(v) for v in value[:64]]
    if isinstance(value, dict):
        return {str(k): _json(v) for k, v in list(value.items())[:64]}
    return "..." if value is Ellipsis else str(value) if isinstance(value, dtypes.dtype) else type(value).__name__
