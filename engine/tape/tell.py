"""Tells a recorder of a program's own tape while the program runs again: its nodes as tensors and ops, its passes as
passes, each at its moment."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from engine import torch
from engine.autograd.function import Function
from engine.core.node import Node
from engine.core.state import State, state
from engine.core.tensor import Tensor, constant
from engine.core.views import gradient_edge
from engine.document import rows
from engine.limits import meter
from engine.nn.module import Module
from engine.program import instrument
from engine.program.watch import frames_of_program
from engine.tape.observe import Observer
from engine.tape.operations import close
from engine.tape.plan import Change, Landing, Own, Pass, Plan
from engine.trace import Builder, Recorder, reading

_DEPTH, _MEMBERS = 8, 1_000
_SLIPS = 20
BY = "tape"
"""Who changes the gradient of a node that is no leaf: in PyTorch, nobody does."""


class Teller(Observer):
    """`tensors`: those that stand for nodes, by the nodes; `failed`: the run was another one than what was planned."""

    def __init__(self, plan: Plan, recorder: Recorder) -> None:
        super().__init__()
        self.plan, self.recorder = plan, recorder
        self.tensors: dict[int, Tensor] = {}
        self.of_thing: dict[int, Tensor] = {}
        self.failed = self.running_pass = False
        self.named = {(own.seq, own.name): own for own in plan.nodes if own.name is not None}
        self.lines: dict[tuple[int, int], int | None] = {}
        self.reference: dict[int, Any] = {}
        self.slips: list[Slip] = []
        self._acts: dict[int, list[tuple[int, Callable[..., None], tuple[Any, ...]]]] = {}
        self._passing: dict[tuple[int, int], str] = {}
        self._arrange()

    # What happens when

    def _arrange(self) -> None:
        for own in self.plan.nodes:
            if own.label != "leaf" or own.name is None:  # which is there when it has its name
                self._on(own.seq, self._node, own)
        for change in self.plan.changes:
            self._on(change.seq, self._change, change)
        for each in self.plan.passes:
            told = _Telling(self, each)
            self._on(each.seq, told.begin)
            for group in each.groups():
                self._on(group[-1].seq, told.ran, group)
            self._on(each.landings[-1].seq, told.end)
        for acts in self._acts.values():
            acts.sort(key=lambda act: act[0])

    def _on(self, seq: int, act: Callable[..., None], *given: Any) -> None:
        first = 0 if act.__name__ == "_node" else 1
        self._acts.setdefault(seq, []).append((first, act, given))

    def change(self, tree: ast.Module) -> None:
        super().change(tree)
        loops = [node.target for node in ast.walk(tree) if isinstance(node, ast.For | ast.comprehension)]
        names = [name for target in loops for name in ast.walk(target) if isinstance(name, ast.Name)]
        self._passing = {(name.lineno, name.col_offset): name.id for name in names}

    def calls(self, watch: Any) -> dict[str, Any]:
        found = super().calls(watch)
        bind = watch.bind

        def bound(name: str, value: Any) -> None:
            tensor = self.of_thing.get(id(value))
            if tensor is None:
                bind(name, value)
            elif not self.running_pass and not self._in_machinery(sys._getframe(1)):
                position = state.position
                if position is None or position[:2] not in self._passing:  # what a loop calls one after the other
                    self.recorder.bind(name, tensor)

        return {**found, instrument.BIND: bound}

    def called(self, name: str, value: Any, several: bool) -> None:
        """A variable has the place of a node in a list, or its number."""
        own = self.named.get((self.seq, name))
        if own is None or self.over:
            return
        if id(own) not in self.tensors and own.leaf:
            self._node(own)
        if id(own) in self.tensors:
            self.recorder.bind(name, self.tensors[id(own)])

    def _in_machinery(self, frame: FrameType | None) -> bool:
        """Whether one of the tape's own functions is under way."""
        return any(self.plan.machinery.has(each.f_code) for each in frames_of_program(frame))

    def at(self, seq: int, frame: FrameType | None) -> None:
        acts = self._acts.pop(seq, None)
        if acts is None:
            return
        here = sys._getframe(1) if frame is None else frame.f_back
        place = next(frames_of_program(here), None)
        position = None if place is None else self.places.of(place.f_code, place.f_lasti)
        with _placed(position):
            for _, act, given in acts:
                act(*given)

    # Nodes

    def _node(self, own: Own) -> None:
        value = np.asarray(own.value, dtype=np.float64)[()]
        if own.constant:
            return
        parents = [p for p in own.slots if not p.constant]
        if not parents:
            tensor = torch.tensor(value, dtype=torch.float64, requires_grad=True)
        else:
            tensor = self._computed(own, value)
        self.tensors[id(own)] = tensor
        for number in own.met:
            self.of_thing[id(self.met[number])] = tensor

    def _computed(self, own: Own, value: Any) -> Tensor:
        operands = [self._operand(each) for each in own.operands]
        if own.operation is not None:
            made = own.operation.call(*operands)
            if isinstance(made, Tensor) and made.requires_grad and close(made._array, value, 1e-9):
                return made
        tensors = [each for each in operands if isinstance(each, Tensor)]
        kind = type(own.label.rpartition(".")[2].strip("_") or "Own", (_Unknown,), {"value": value})
        return kind.apply(*tensors)  # type: ignore[no-any-return, attr-defined]

    def _operand(self, each: Any) -> Any:
        if isinstance(each, Own):
            tensor = self.tensors.get(id(each))
            each = each.value if tensor is None else tensor
        if isinstance(each, Tensor):
            return each
        return torch.tensor(each, dtype=torch.float64) if isinstance(each, np.ndarray) else float(each)

    def edge(self, own: Own) -> Any:
        """The node of the graph that a gradient of this one goes to."""
        return gradient_edge(self.tensors[id(own)])[0]

    def _change(self, change: Change) -> None:
        tensor = self.tensors.get(id(change.to))
        if tensor is None:
            return
        after = np.asarray(change.after, np.float64)[()]
        if change.gradient:
            before = np.asarray(change.before, np.float64)[()]
            tensor._grad = constant(after)
            self.reference[id(change.to)] = after
            self.recorder.grad_changed(tensor, before, after, "zero_grad")
        else:
            self.recorder.before_write(tensor._array)
            tensor._array = after
            torch.autograd.graph.increment_version(tensor)
            self.recorder.wrote(tensor)

    # What is left when the program is over

    def variables(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """The program's variables, with tensors in the places of its nodes."""
        passing = set(self._passing.values())
        found = {
            name: value if name in passing and id(value) in self.of_thing else self._mirror(value, _DEPTH, {})
            for name, value in variables.items()
        }
        for name, value in found.items():
            if value is not variables[name] and not reading.is_tensor(value):
                self._hold(name, value)
        for own in self.plan.nodes:
            named = own.name is not None and (own.name in variables or self.plan.kind == "names")
            if own.name is not None and named and id(own) in self.tensors and not own.met:
                found[own.name] = self.tensors[id(own)]
        return found

    def _hold(self, name: str, value: Any) -> None:
        """Tensors are called by what holds them, however deep it lies."""
        holders = self.recorder.holders.named
        seen = {id(value)}
        todo = [(name, value)]
        while todo:
            path, holder = todo.pop(0)
            holders[max(holders, default=-1) + 1] = path, holder, True
            for step, _, member in reading.members(holder):
                if type(member) in (Mirror, MirrorList, MirrorDict) and id(member) not in seen and len(seen) < _MEMBERS:
                    seen.add(id(member))
                    todo.append((path + step, member))

    def _mirror(self, value: Any, depth: int, seen: dict[int, Any]) -> Any:
        """The value, or a copy where there is a node in it."""
        tensor = self.of_thing.get(id(value))
        if tensor is not None:
            return tensor
        if id(value) in seen:
            return seen[id(value)]
        seen[id(value)] = value
        many = reading.length(value) > _MEMBERS
        if not depth or many or not reading.holds(value) or issubclass(type(value), Module):
            return value
        own = {
            name: self._mirror(member, depth - 1, seen) for name, member in (reading.attributes(value) or {}).items()
        }
        members = [(key, self._mirror(member, depth - 1, seen)) for key, member in reading.items(value)]
        before = {**(reading.attributes(value) or {})}
        changed = any(own[name] is not before[name] for name in own)
        changed = changed or any(m is not was for (_, m), (_, was) in zip(members, reading.items(value), strict=True))
        if not changed:
            return value
        copy: Any = Mirror()
        if issubclass(type(value), dict):
            copy = MirrorDict(members)
        elif issubclass(type(value), list | tuple):
            copy = MirrorList([member for _, member in members])
        vars(copy).update(own)
        seen[id(value)] = copy
        return copy

    def line(self, call: int, node: Node) -> int | None:
        """Where the program stores what a node sends in a pass."""
        return self.lines.get((call, id(node)))

    def row(self, builder: Builder) -> rows.Tape:
        """What the document has of it besides its tensors, nodes and events."""
        gradients: list[rows.TapeGradient] = []
        for own in self.plan.nodes:
            tensor = self.tensors.get(id(own))
            if tensor is None or id(own) not in self.reference or tensor._grad is None:
                continue
            known = self.reference[id(own)]
            sure = bool(np.all(np.isfinite(known)))
            gradients.append({
                "tensor": builder.tensor_id(tensor),
                "torch": builder.values.ref(known) if sure else None,
                "agrees": close(tensor._grad._array, known) if sure else None,
            })  # fmt: skip
        return {
            "kind": self.plan.kind,  # type: ignore[typeddict-item]
            "of": self.plan.of,
            "value": self.plan.value,
            "gradient": self.plan.gradient,
            "whole": self.plan.whole,
            "gradients": gradients,
            "slips": [self._slip(slip, builder) for slip in self.slips[:_SLIPS]],
        }

    def _slip(self, slip: Slip, builder: Builder) -> rows.TapeSlip:
        early = slip.of if slip.kind == "early" else slip.sender
        return {
            "kind": slip.kind,  # type: ignore[typeddict-item]
            "tensor": builder.tensor_id(self.tensors[id(slip.of)]),
            "node": builder.node_id(self.edge(early)),
            "call": slip.call,
            "line": slip.line,
            "text": slip.text,
            "got": None if slip.got is None else builder.values.ref(_real(slip.got)),
            "expected": None if slip.expected is None else builder.values.ref(_real(slip.expected)),
        }


class _Unknown(Function):
    """An operation that is none of PyTorch's."""

    value: Any

    @classmethod
    def forward(cls, context: Any, *tensors: Any) -> Any:
        return constant(cls.value)

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:
        return tuple(gradient * float("nan") for _ in context.needs_input_grad)


class _Telling:
    """One pass."""

    def __init__(self, teller: Teller, each: Pass) -> None:
        self.teller, self.each = teller, each
        self.expected: dict[int, int] = {}
        self.sums: dict[int, Any] = {}
        self.held: dict[int, Any] = {}
        self.left: dict[int, int] = {}
        self.begun, self.call = False, 0
        self.order: list[Own] = []
        landings = [landing for landing in each.landings if not landing.to.constant]
        for landing in landings:
            key = id(landing.to)
            self.expected[key] = self.expected.get(key, 0) + 1
        for group in each.groups():
            sender = group[0].sender
            assert sender is not None
            self.order.append(sender)
        self.left = dict(self.expected)
        self.before: dict[int, Any] = {id(each.root): each.before}
        for landing in landings:
            self.before.setdefault(id(landing.to), landing.before if _number(landing.before) else 0.0)

    def begin(self) -> None:
        teller, root = self.teller, self.each.root
        if id(root) not in teller.tensors:
            return
        self.begun = True
        recorder, tensor = teller.recorder, teller.tensors[id(root)]
        nodes: dict[Any, int] = {teller.edge(root): 1}
        todo = [root]
        while todo:
            for parent in todo.pop().slots:
                if not parent.constant and id(parent) in teller.tensors:
                    node = teller.edge(parent)
                    if node not in nodes:
                        todo.append(parent)
                        nodes[node] = self.expected.get(id(parent), 0)
        seed = np.asarray(self.each.seed, np.float64)[()]
        teller.running_pass, self.call = True, recorder.calls
        recorder.roots([tensor])
        recorder.backward_begin([(teller.edge(root), 0)], [seed], True, False, None, nodes)
        self.held[id(root)] = seed
        tensor._retains = not root.leaf
        tensor._grad = constant(np.asarray(self.each.total, np.float64)[()])
        if not root.leaf:
            recorder.grad_changed(tensor, np.asarray(self.each.before, np.float64)[()], tensor._grad._array, BY)

    def ran(self, group: list[Landing]) -> None:
        """A node has sent its gradients."""
        if not self.begun:
            return
        teller = self.teller
        recorder = teller.recorder
        sender = group[0].sender
        assert sender is not None
        self.order.pop(0)
        if id(sender) not in teller.tensors:
            return
        landings = [landing for landing in group if id(landing.to) in teller.tensors]
        gave: list[Any] = [None] * len(sender.slots)
        sends: list[Any] = []
        for landing in landings:
            key, gain = id(landing.to), np.asarray(landing.gain, np.float64)[()]
            gave[landing.slot] = gain
            first = landing.arrived == 1
            if landing.replaces:
                self.sums[key] = np.asarray(landing.total, np.float64)[()]
            elif first and not np.any(np.asarray(self.before[key]) != 0):
                self.sums[key] = np.asarray(landing.total, np.float64)[()]
            else:
                self.sums[key] = np.asarray(self.sums.get(key, 0.0) + gain)[()]
            self.left[key] -= 1
            node = teller.edge(landing.to)
            sends.append((node, 0, gain, landing.arrived, self.expected[key], self.sums[key]))
        teller.lines.setdefault((self.call, id(teller.edge(sender))), group[0].line)
        own = teller.tensors[id(sender)]
        received = own._grad._array if own._grad is not None else None
        recorder.node(teller.edge(sender), (received,), tuple(gave), sends, self._ready(), False)
        for landing in landings:
            self._land(landing)

    def _land(self, landing: Landing) -> None:
        teller, key = self.teller, id(landing.to)
        tensor = teller.tensors[key]
        total = np.asarray(landing.total, np.float64)[()]
        if not landing.to.leaf:
            tensor._retains = True
            tensor._grad = constant(total)
            teller.recorder.grad_changed(tensor, _left(landing.before), total, BY)
        elif landing.arrived == self.expected[key]:
            start = np.asarray(self.before[key], np.float64)[()]
            tensor._grad = constant(total)
            node = teller.edge(landing.to)
            fresh = not np.any(start != 0)
            teller.recorder.accumulate(node, tensor, None if fresh else start, self.sums[key], total)
            teller.recorder.node(node, (self.sums[key],), (), (), self._ready(), False)

    def _ready(self) -> list[Any]:
        """Nodes that have all that they wait for and have not run, next first."""
        teller = self.teller
        ready = [own for own in dict.fromkeys(self.order) if not self.left.get(id(own), 0)]
        return [teller.edge(own) for own in ready if id(own) in teller.tensors]

    def end(self) -> None:
        if not self.begun:
            return
        self.begun = self.teller.running_pass = False
        self.teller.recorder.backward_end()
        self._compare()

    def _compare(self) -> None:
        """What PyTorch's own pass gives for the same expression."""
        teller = self.teller
        nodes = [own for own in teller.plan.nodes if id(own) in teller.tensors and id(own) in self.expected]
        root = teller.tensors[id(self.each.root)]
        tensors = [teller.tensors[id(own)] for own in nodes]
        with _unseen():
            seed = torch.tensor(self.each.seed, dtype=torch.float64).reshape(root.shape)
            found = torch.autograd.grad(root, tensors, seed, retain_graph=True, allow_unused=True)
            known = {id(own): g._array for own, g in zip(nodes, found, strict=True) if g is not None}
            for own in nodes:
                before = teller.reference.get(id(own), 0.0)
                teller.reference[id(own)] = np.asarray(before + known.get(id(own), 0.0))[()]
            teller.reference[id(self.each.root)] = np.asarray(self.each.total, np.float64)[()]
            known[id(self.each.root)] = seed._array
            wrong = {id(own) for own in nodes if not self._agrees(own, known)}
            if wrong:
                teller.slips += self._slips(known, wrong)

    def _agrees(self, own: Own, known: dict[int, Any]) -> bool:
        gradient = known.get(id(own), 0.0)
        return not np.all(np.isfinite(gradient)) or close(self.sums.get(id(own), 0.0), gradient)

    def _slips(self, known: dict[int, Any], wrong: set[int]) -> Iterator[Slip]:
        """Where it goes wrong, the first place first."""
        sent: dict[int, Any] = {}  # by node: what it had when it sent first
        had: dict[int, Any] = {id(self.each.root): known[id(self.each.root)]}
        seen: set[tuple[str, int | None]] = set()
        for landing in self.each.landings:
            key, sender = id(landing.to), landing.sender
            assert sender is not None
            sent.setdefault(id(sender), had.get(id(sender)))
            kind, expected = "", known.get(key)
            if key in self.expected and expected is not None:
                if key in wrong and landing.replaces and landing.arrived > 1:
                    kind = "overwritten"
                elif key in sent and any(id(p) in wrong for p in landing.to.slots) and not self._in_parts(landing.to):
                    kind = "early"
                elif self._is_left(landing) and any(id(p) in wrong for p in landing.to.slots):
                    kind = "kept"
            had[key] = _real(landing.total)
            if kind and (kind, landing.line) not in seen:
                seen.add((kind, landing.line))
                got = sent[key] if kind == "early" else landing.total
                yield Slip(kind, landing.to, sender, self.call, landing.line, landing.text, got, expected)
        yield from self._derivatives(known, sent, seen)

    def _is_left(self, landing: Landing) -> bool:
        """Whether a node that is no leaf had a gradient before the pass, and this is added to it."""
        first = landing.arrived == 1 and not landing.replaces and not landing.to.leaf
        return first and bool(np.any(_real(self.before[id(landing.to)]) != 0))

    def _in_parts(self, own: Own) -> bool:
        """Whether a node sends what arrives as it arrives: each part by itself is right."""
        arrived = sum(1 for landing in self.each.landings if landing.to is own)
        sent = sum(1 for landing in self.each.landings if landing.sender is own)
        return arrived > 1 and sent == arrived * len([p for p in own.slots if not p.constant])

    def _derivatives(
        self, known: dict[int, Any], sent: dict[int, Any], seen: set[tuple[str, int | None]]
    ) -> Iterator[Slip]:
        """Nodes that had the right gradient, and sent another one than PyTorch's does."""
        teller = self.teller
        for own in dict.fromkeys([self.each.root, *[landing.to for landing in self.each.landings]]):
            gradient = known.get(id(own))
            right = own is self.each.root or self._agrees(own, known)
            if gradient is not None and own is not self.each.root and id(own) in sent and not self._in_parts(own):
                right = right and sent[id(own)] is not None and close(sent[id(own)], gradient)
            if gradient is None or own.leaf or own.operation is None or own.operation.name == "sum" or not right:
                continue
            node = teller.edge(own)
            given = constant(np.asarray(gradient, np.float64)[()])
            gave = node(given)
            gave = list(gave) if isinstance(gave, tuple) else [gave]
            for to in dict.fromkeys(p for p in own.slots if not p.constant):
                due = [g._array for each, g in zip(own.operands, gave, strict=False) if each is to and g is not None]
                landings = [each for each in self.each.landings if each.sender is own and each.to is to]
                got = np.sum([_real(each.gain) for each in landings], axis=0)
                expected = np.sum(due, axis=0)
                if any(each.replaces and each.arrived > 1 for each in landings) or close(got, expected):
                    continue
                line = landings[0].line if landings else None
                if ("derivative", line) not in seen:
                    seen.add(("derivative", line))
                    text = landings[0].text if landings else ""
                    yield Slip("derivative", to, own, self.call, line, text, got if landings else None, expected)


class Mirror:
    """An object of the program's, with tensors in the places of its nodes."""

    __module__ = "__main__"


class MirrorList(list[Any]):
    """A list of the program's, in the same way."""

    __module__ = "__main__"


class MirrorDict(dict[Any, Any]):
    """A dict of the program's, in the same way."""

    __module__ = "__main__"


@dataclass(slots=True, eq=False)
class Slip:
    """Where a gradient goes wrong: see `engine.document.rows.TapeSlip`."""

    kind: str
    of: Own
    sender: Own
    call: int
    line: int | None
    text: str
    got: Any
    expected: Any


def _real(value: Any) -> Any:
    """A number as float64; what is none, as 0."""
    return np.asarray(value if _number(value) else 0.0, np.float64)[()]


def _left(before: Any) -> Any:
    """A gradient that was there; None where there was none, or nothing but zeros."""
    value = _real(before)
    return value if np.any(value != 0) else None


def _number(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.ndarray)


@contextmanager
def _placed(position: Any) -> Iterator[None]:
    """The engine is told where the program is, and nothing is charged."""
    kind, left, grad = state.__class__, meter.budget[0], state.grad
    state.__class__ = State
    state.position, state.grad = position, True
    try:
        yield
    finally:
        state.__class__ = kind
        meter.budget[0], state.grad = left, grad


@contextmanager
def _unseen() -> Iterator[None]:
    """Nobody is told of what the engine does."""
    observer = state.observer
    state.watch(None)
    try:
        yield
    finally:
        state.watch(observer)
