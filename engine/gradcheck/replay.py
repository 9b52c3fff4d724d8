"""The ops of a tape once more, on float64 numbers, from another value of the leaf."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.autograd.function import FunctionOp
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.gradcheck.tape import Step, Tape, Unchecked
from engine.trace import reading
from engine.trace.events import HeldArray
from engine.types import dtypes

_NARROW = "eEfF"
"""Characters of the dtypes that are replaced: half, bfloat16, single and complex64."""

SAME = 2e-2
"""By how much of its largest number the result of an op may differ from what was recorded, bfloat16 and all."""

Watch = Callable[[Step, Sequence[Tensor]], None]


def widened(array: Any) -> Any:
    """A copy of numbers as float64 or complex128; integers and bools as they are."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if array.dtype.kind in dtypes.FLOATING else array.copy()


class Replay:
    """Computes the loss of a tape from a value of its leaf.

    What does not depend on the leaf in PyTorch's eyes (constants, `detach()`, what ran under `no_grad`) is as recorded.
    """

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.steps: Sequence[Step] = tape.steps
        self.opaque: set[str] = set()
        self.functions: list[Step] = []
        self._constants: dict[tuple[int, int], Tensor] = {}
        self._now: dict[int, Tensor] = {}
        self._by_edge: dict[tuple[int, int], Tensor] = {}
        self._written: set[int] = set()
        self._at = 0

    def loss(self, leaf: Tensor, watch: Watch | None = None) -> Tensor:
        """The sum over roots of root · gradient, 0-d; `leaf` stands for the tape's. `watch` is told of each op that ran
        and its results. Raises Unchecked where an op cannot run again."""
        self._now = {id(self.tape.leaf): leaf}
        self._by_edge, self._written = {}, set()
        for step in self.steps:
            self._at = step.at
            results = self._step(step)
            if results is not None and watch is not None:
                watch(step, results)
        self._at = self.tape.end
        total: Any = constant(np.float64(0.0))
        for t, gradient in self.tape.roots:
            found = self._read(t)
            weight = constant(widened(np.asarray(gradient)))
            product = found * weight.conj() if weight._array.dtype.kind == "c" else found * weight
            total = total + (product.real if product._array.dtype.kind == "c" else product).sum()
        return total  # type: ignore[no-any-return]

    def prune(self) -> None:
        """Keep only the steps that ran: the others do not depend on the leaf."""
        ran: list[Step] = []
        self.loss(constant(widened(self.tape.value)), lambda step, _: ran.append(step))
        self.steps = ran

    # One op

    def _step(self, step: Step) -> list[Tensor] | None:
        """The results of an op from what its inputs are now; None if none of them moved, or the graph ends here."""
        record = step.record
        if not self._touches(record.inputs, step.inside):
            return None
        if isinstance(record.op, FunctionOp):
            return self._function(step)
        cut = record.node is None and not step.inside
        if cut and any(t._array.dtype.kind in dtypes.INEXACT for t in record.outputs):
            return None
        results = self._call(step)
        if record.inputs and record.inputs[0] is record.outputs[0] and not record.op.view:  # `squeeze_` writes nothing
            return [self._write(record.outputs[0], results[0])]
        for t, result in zip(record.outputs, results, strict=True):
            self._now[id(t)] = result
            if record.node is not None:
                number = reading.output_nr(t) if len(results) > 1 else 0
                self._by_edge[id(record.node), number] = result
        return results

    def _call(self, step: Step) -> list[Tensor]:
        op, given = step.record.op, step.record.inputs
        arguments: list[Any] = []
        keywords: dict[str, Any] = {}
        for parameter, value in zip(op.parameters, given, strict=True):
            mapped = self._argument(value, step.inside)
            if parameter.keyword_only:
                keywords[parameter.name] = mapped
            else:
                arguments.append(mapped)
        try:
            out = op.call(*arguments, **keywords)
        except (ArithmeticError, TypeError, ValueError, RuntimeError, IndexError, NotImplementedError) as error:
            raise Unchecked(f"{op.name} cannot run again in float64: {error}") from None
        results = [out] if isinstance(out, Tensor) else [t for t in out if t is not None]
        return [self._wide(t) for t in results]

    def _function(self, step: Step) -> list[Tensor]:
        """The outputs of a custom Function, which the ops of its forward have computed."""
        name, inputs, outputs = step.record.op.name, step.record.inputs, step.record.outputs
        results: list[Tensor] = []
        for t in outputs:
            found = self._now.get(id(t))
            if found is None:
                found = next((self._read(i) for i in inputs if isinstance(i, Tensor) and _same_memory(i, t)), None)
            if found is None:
                self.opaque.add(name)
                found = self._constant(t)
            self._now[id(t)] = found
            results.append(found)
        return results

    def _write(self, t: Tensor, value: Tensor) -> Tensor:
        """Leave a result in the memory of `t` and of those that share it."""
        target = self._now.get(id(t))
        if target is None:
            view = reading.view(t)
            base = t if view is None else view.base
            if id(base) not in self._now:
                self._now[id(base)] = constant(self._constant(base)._array.copy())
            self._written.add(id(base))
            target = self._read(t)
        if target is self._now.get(id(self.tape.leaf)):
            raise Unchecked("It is written between its use and the backward pass.")
        try:
            target.copy_(value)
        except RuntimeError as error:
            raise Unchecked(f"A write cannot be repeated: {error}") from None
        self._now[id(t)] = target
        return target

    # Values

    def _touches(self, value: Any, inside: bool) -> bool:
        if isinstance(value, Tensor):
            return self._moving(value, inside) is not None
        return isinstance(value, list | tuple) and any(self._touches(v, inside) for v in value)

    def _moving(self, t: Tensor, inside: bool) -> Tensor | None:
        """What stands for a tensor that depends on the leaf; None for a constant."""
        found = self._now.get(id(t))
        if found is not None:
            return found
        view = reading.view(t)
        if view is not None and id(view.base) in self._written:
            return self._strided(t, view.base)
        node = reading.grad_fn(t)
        if node is not None:  # what a node saved of its own results is another object
            found = self._by_edge.get((id(node), reading.output_nr(t)))
            if found is not None:
                return found
        source = (reading.cut(t) or (None, ""))[0] if inside else None
        if source is None or not _same_memory(t, source):
            return None
        return self._moving(source, inside)  # in a forward nothing is tracked: what is detached flows on

    def _read(self, t: Tensor) -> Tensor:
        return self._of(t, False)

    def _of(self, t: Tensor, inside: bool) -> Tensor:
        moving = self._moving(t, inside)
        return self._constant(t) if moving is None else moving

    def _strided(self, t: Tensor, base: Tensor) -> Tensor:
        """A view of what stands for its base."""
        own, whole = reading.array(t), reading.array(base)
        if not whole.flags.c_contiguous or own.dtype != whole.dtype:
            raise Unchecked("A view that is written to lies in memory in another order.")
        size = own.itemsize
        offset = own.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        strides = [stride // size for stride in own.strides]
        return ops.as_strided(self._now[id(base)], list(own.shape), strides, offset // size)  # type: ignore[no-any-return]

    def _argument(self, value: Any, inside: bool) -> Any:
        if isinstance(value, Tensor):
            return self._of(value, inside)
        if isinstance(value, list | tuple):
            return type(value)(self._argument(v, inside) for v in value)
        if isinstance(value, np.dtype) and value.char in _NARROW:
            return np.dtype(np.complex128 if value.kind == "c" else np.float64)
        if isinstance(value, dtypes.dtype) and value.np.char in _NARROW:
            return dtypes.complex128 if value.np.kind == "c" else dtypes.float64
        return value

    def _constant(self, t: Tensor) -> Tensor:
        """What a tensor held at this point of the run."""
        value = self.tape.value_at(t, self._at)
        if not isinstance(value, np.ndarray | np.generic):
            raise Unchecked("The value of something that it meets is not recorded.")
        key = id(t), id(value)
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = constant(widened(value)[()])
        return found

    def _wide(self, t: Tensor) -> Tensor:
        return (
            t
            if t._array.dtype.char not in _NARROW
            else t.to(dtypes.float64 if t._array.dtype.kind in dtypes.FLOATING else dtypes.complex128)
        )


def agrees(step: Step, results: Sequence[Tensor], largest: float) -> bool:
    """Whether an op gave what it gave in the run, to the digits that the run's dtype has.

    `largest`: the largest number met so far; where such numbers are subtracted from each other, digits of it are lost.
    """
    for value, result in zip(step.record.values, results, strict=False):
        recorded, now = value.array if type(value) is HeldArray else value, result._array
        if not isinstance(recorded, np.ndarray | np.generic) or recorded.size != now.size:
            return False
        if recorded.dtype.kind not in dtypes.INEXACT or recorded.shape != now.shape:  # `squeeze_` has changed it since
            continue
        wide = widened(np.asarray(recorded))
        finite = np.isfinite(wide) & np.isfinite(now)
        scale = np.max(np.abs(wide[finite]), initial=0.0)
        if np.max(np.abs(wide - now)[finite], initial=0.0) > SAME * scale + SAME / 100 * largest + 1e-30:
            return False
    return True


def _same_memory(a: Tensor, b: Tensor) -> bool:
    one, other = reading.array(a), reading.array(b)
    if type(one) is not np.ndarray or type(other) is not np.ndarray:
        return one is other
    return one.shape == other.shape and np.may_share_memory(one, other)
