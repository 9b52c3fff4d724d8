"""Operators: what a `TorchDispatchMode` sees of a program, below autograd."""

from __future__ import annotations

import sys
from operator import attrgetter
from types import FrameType
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from .operators import Operator, arguments, given, operator_of, tensors_in
from .ops import Op
from .positions import ENGINE, OPTIMIZER, SILENT, USER, Place, at
from .recording import Recording
from .tensors import Seen
from .values import memory_of, node_of

_id = attrgetter("id")
_next_sequence: Any = torch._C._autograd._get_sequence_nr
_TRACING = ("FakeTensor", "FunctionalTensor", "ProxyTensor")
"""Tensors of compilers, which compute nothing."""


class Dispatch(TorchDispatchMode):
    """Records each operator that the program's code calls, and copies what is about to be overwritten."""

    supports_higher_order_operators = True

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.recording = recording
        self._last = _next_sequence() - 1
        self._awaited: list[tuple[torch.Tensor, Seen, Op | None]] = []
        self._stepped: dict[int, tuple[torch.Tensor, Place | None]] = {}
        self._written: list[tuple[dict[str, Any], torch.Tensor]] = []
        recording.settle, recording.mode = self.settle, self

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        trace = self.recording.untraced()
        try:
            return self.called(func, types, args, kwargs or {}, sys._getframe(1))
        finally:
            if trace is not None:
                sys.settrace(trace)

    def called(self, func: Any, types: Any, args: Any, kwargs: Any, frame: FrameType) -> Any:
        """Run an operator, which was called in a frame, and record it if the program called it."""
        recording = self.recording
        if recording.quiet or (types and any([kind.__name__ in _TRACING for kind in types])):
            return func(*args, **kwargs)
        if not isinstance(func, torch._ops.OpOverload):  # `torch.cond` and its like, which is recorded as a Function
            return func(*args, **kwargs)
        operator = operator_of(func)
        written = tensors_in([given(operator, at, args, kwargs) for at in operator.written]) if operator.written else []
        if not written and not recording.creating and frame.f_code is recording.positions.engine:
            return func(*args, **kwargs)
        sequence, clock = _next_sequence() - 1, recording.clock
        place, caller = recording.positions.find(frame)
        if caller == ENGINE and recording.creating:
            place, caller = recording.creating[-1], USER
        if (
            place is None
            or operator.silent
            or (operator.asks and not written)
            or caller in (SILENT, ENGINE)
            or recording.opaque
            or recording.truncated
        ):
            if recording.truncated is not None and place is not None and caller < SILENT:
                recording.missed["ops"] += 1
                recording.missed["events"] += 1
            return self._passed_over(func, args, kwargs, operator, written, place)
        if caller == OPTIMIZER and not torch.is_grad_enabled():
            for tensor in written:
                recording.values.before_write(tensor)
                self._stepped.setdefault(id(tensor), (tensor, place))
            return func(*args, **kwargs) if clock is None else clock.run(func, args, kwargs)
        rows: list[Seen] = []
        inputs = tensors_in([*args, *kwargs.values()] if kwargs else args)
        unset = operator.fills and recording.tensors.unset(inputs[0])
        try:
            self.settle(between_ops=False)
            for tensor in inputs[unset:]:
                rows.append(recording.tensor(tensor, place))
            for tensor in written:
                recording.values.before_write(tensor)
        except Exception as error:
            recording.fail(error)
        out = func(*args, **kwargs) if clock is None else clock.run(func, args, kwargs)
        made = None
        if sequence > self._last:
            self._last = sequence
            made = sequence if torch.is_grad_enabled() else None
        if recording.truncated is None:
            try:
                if unset:  # what it held before it was filled is nobody's
                    rows.insert(0, recording.tensor(inputs[0], place))
                outputs = tensors_in(out if isinstance(out, (tuple, list)) else (out,))
                self._record(operator, rows, args, kwargs, outputs, written, made, place)
            except Exception as error:
                recording.fail(error)
        return out

    def _passed_over(
        self, func: Any, args: Any, kwargs: Any, operator: Operator, written: list[torch.Tensor], place: Place | None
    ) -> Any:
        """Run an operator that is not recorded, but for what it overwrites and what it silently makes."""
        recording = self.recording
        for tensor in written:
            recording.values.before_write(tensor)
        out = func(*args, **kwargs) if recording.clock is None else recording.clock.run(func, args, kwargs)
        if operator.silent and place is not None:
            recording.tensors.born(out, place, recording.scopes.now)
        return out

    def _record(
        self,
        operator: Operator,
        rows: list[Seen],
        args: Any,
        kwargs: Any,
        outputs: list[torch.Tensor],
        written: list[torch.Tensor],
        made: int | None,
        place: Place,
    ) -> None:
        """Record an operator that has run, or only the tensors that it made out of nothing."""
        recording, now = self.recording, self.recording.scopes.now
        if operator.detaches and rows:
            self._output(operator, outputs[0], 0, rows, None, place, None)
            return
        if not ((rows and outputs and not operator.makes) or (written and not operator.undeclared)):
            for tensor in outputs:
                recording.tensors.born(tensor, place, now, unset=operator.unset)
            return
        scope, given = now.id or recording.scopes.ref(now), arguments(operator, args, kwargs)
        op = Op(operator.name, tuple(map(_id, rows)), place, scope, given, operator.overload, made)
        names = []
        if written and not operator.undeclared:
            for tensor in written:
                row = recording.tensor(tensor, place)
                names.append(row.id)
                self._awaited.append((tensor, row, op))
        else:
            for number, tensor in enumerate(outputs):
                names.append(self._output(operator, tensor, number, rows, made, place, op).id)
        op.outputs = tuple(names)
        recording.put_op(op)
        for tensor in written:
            self._wrote(tensor, place)

    def _output(
        self,
        operator: Operator,
        tensor: torch.Tensor,
        number: int,
        rows: list[Seen],
        made: int | None,
        place: Place,
        op: Op | None,
    ) -> Seen:
        recording, known = self.recording, None
        for row in rows:
            if row.tensor is tensor:
                known = recording.tensors.find(tensor)
        row = known or recording.tensors.add(tensor, place, recording.scopes.now, hold=not operator.views)
        if made is not None:
            row.requires_grad = True
            if operator.views:
                recording.tensors.await_output(row, made, number)
        elif operator.detaches and rows:
            row.cut = "detach" if _wanted(rows) else None
        if rows and known is None:  # `detach` of what inference mode makes gives the tensor itself
            if operator.detaches:
                row.detached_from = rows[0].id
            elif operator.views:
                row.view_of = rows[0].view_of or rows[0].id
        if made is None and row.cut is None:
            row.cut = _cut(tensor, rows)
        if not operator.views:
            self._awaited.append((tensor, row, op))
        return row

    def put_function(self, name: str, rows: list[Seen], outputs: list[torch.Tensor], place: Place) -> None:
        """A custom Function was applied."""
        recording = self.recording
        made = [recording.tensor(tensor, place) for tensor in outputs]
        op = Op(name, tuple(map(_id, rows)), place, recording.scopes.ref(recording.scopes.now))
        op.outputs = tuple(map(_id, made))
        recording.put_op(op)
        if recording.clock is not None:
            recording.clock.applied(op.number)
        for tensor, row in zip(outputs, made, strict=True):
            if not tensor.requires_grad:
                row.cut = row.cut or _cut(tensor, rows)
            self._settle([(tensor, row, op)])
        self._last = max(self._last, _next_sequence() - 1)

    def _wrote(self, tensor: torch.Tensor, place: Place | None) -> None:
        """A tensor was written in place, and with it others in its memory: named ones, and what it is part of."""
        recording = self.recording
        row = recording.tensor(tensor, place)
        written = {row.id: (row, tensor)}
        for other in recording.named_in.get(memory_of(tensor), ()):
            if other.tensor is not None and memory_of(other.tensor) == memory_of(tensor):
                written.setdefault(other.id, (other, other.tensor))
        source = row.view_of or row.detached_from
        while source is not None:
            base = recording.tensors.by_name(source)
            if base.tensor is not None:
                written.setdefault(base.id, (base, base.tensor))
            source = base.view_of or base.detached_from
        for seen, held in written.values():
            event = at({"kind": "write", "tensor": seen.id, "version": 0, "value": recording.ref(held)}, place)
            recording.append(event, 10)
            self._written.append((event, held))  # PyTorch counts a version when the op has returned
        self._wrote_gradient(tensor, place)

    def _wrote_gradient(self, tensor: torch.Tensor, place: Place | None) -> None:
        """`x.grad.zero_()` and its like: the memory just written is some tensor's `.grad`."""
        recording = self.recording
        for name, (leaf, gradient, before) in list(recording.gradients.items()):
            if gradient is not None and leaf.grad is gradient and memory_of(gradient) == memory_of(tensor):
                after = recording.ref(gradient)
                recording.gradients[name] = (leaf, gradient, after)
                recording.put("grad", place, tensor=name, before=before, after=after, by="in_place")

    def settle(self, between_ops: bool = True) -> None:
        """After an op has returned, its outputs have their `grad_fn`; after a step, parameters are as it left them.

        Where an op is called, `between_ops` is False: PyTorch may be running it to make the `grad_fn` of a view again,
        and would wait for itself for ever if it were asked for that.
        """
        if self._stepped:
            stepped, self._stepped = self._stepped, {}
            with self.recording.silently():
                for tensor, place in stepped.values():
                    self._wrote_by_step(tensor, place)
        if self._written:
            written, self._written = self._written, []
            for event, held in written:
                event["version"] = _version(held)
        if self._awaited:
            awaited, self._awaited = self._awaited, []
            if not between_ops:
                self._awaited = [each for each in awaited if _replayed(each[0])]
                awaited = [each for each in awaited if not _replayed(each[0])] if self._awaited else awaited
            self._settle(awaited)

    def _wrote_by_step(self, tensor: torch.Tensor, place: Place | None) -> None:
        row = self.recording.tensors.find(tensor)
        if row is not None and row.requires_grad and node_of(tensor) is None:
            self._wrote(tensor, place)
        else:
            self._wrote_gradient(tensor, place)

    def _settle(self, awaited: list[tuple[torch.Tensor, Seen, Op | None]]) -> None:
        for tensor, row, op in awaited:
            row.requires_grad = wanted = tensor.requires_grad
            if wanted:
                row.cut = None
                node = node_of(tensor)
                if node is not None and op is not None:
                    op.node = self.recording.nodes.ref(node)


def _replayed(tensor: torch.Tensor) -> bool:
    """Whether it is a view whose `grad_fn` PyTorch makes again by calling ops, as of the real part of a tensor."""
    base = tensor._base
    return base is not None and (
        tensor.dtype != base.dtype or tensor.is_conj() != base.is_conj() or tensor.is_neg() != base.is_neg()
    )


def _wanted(rows: list[Seen]) -> bool:
    """Whether one of the inputs of an op requires a gradient."""
    return any([row.requires_grad if row.tensor is None else row.tensor.requires_grad for row in rows])


def _cut(tensor: torch.Tensor, rows: list[Seen]) -> str:
    """Why an op's output has no gradient."""
    if not _wanted(rows):
        return "inputs_without_requires_grad"
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return "integer"
    return "not_differentiable" if torch.is_grad_enabled() else "no_grad"


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else int(tensor._version)
