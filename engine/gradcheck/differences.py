"""One element of a leaf after the other is moved a little, and what the loss does is held beside autograd's number."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from engine.autograd.api import grad
from engine.core.grad_mode import enable_grad, no_grad
from engine.core.tensor import Tensor, constant
from engine.document.numbers import plain
from engine.gradcheck.reasons import Corner, Element, Reason, reason
from engine.gradcheck.replay import Replay, agrees, widened
from engine.gradcheck.tape import Step, Tape, Unchecked
from engine.limits import LimitExceeded, Limits, meter, metered
from engine.trace import reading
from engine.trace.values import nested
from engine.types import dtypes

ELEMENTS = 32
"""Elements of one tensor that are checked; of a larger one those with the largest gradients, and some between."""

STEP = 1e-6
"""By how much an element is moved, as a share of the largest in its tensor or of itself, whichever is larger."""

RELATIVE = 1e-3
"""How far two numbers may lie apart and be called the same: the larger one's thousandth, more for half precision."""


def check(tape: Tape, limits: Limits) -> dict[str, Any]:
    """The gradient of a tape beside central differences; see `checks` in docs/trace.md.

    Raises Unchecked where its ops cannot run again, or would take more than a run may.
    """
    try:
        with metered(limits), np.errstate(all="ignore"), no_grad():
            return _checked(tape, limits)
    except LimitExceeded:
        raise Unchecked("Running it again in float64 would take more than a run may.") from None


def _checked(tape: Tape, limits: Limits) -> dict[str, Any]:
    replay = Replay(tape)
    replay.prune()
    base = _recorded_again(replay)
    first = meter.fuel_used
    gradient = widened(np.asarray(tape.gradient))
    places = chosen(gradient, _affordable(first, limits, gradient.dtype.kind == "c"))
    measure = _Measure(replay, widened(np.asarray(tape.value)), base, _noise(gradient, reading.array(tape.leaf).dtype))
    elements = [measure.element(index, complex_or_float(gradient[index])) for index in places]
    wrong = [e for e in elements if not e.agrees]
    kinked = next((e for e in wrong or elements if e.corner or e.jump), None)
    corner = None if kinked is None else measure.corner(kinked)
    why = reason(tape, replay, wrong, corner, _exact(replay) if wrong else None)
    return {
        "status": "differs" if wrong else "agrees",
        "call": tape.call,
        "elements": [_row(e) for e in elements],
        "of": int(gradient.size),
        "largest_error": plain(float(max((abs(e.autograd - e.numeric) for e in elements), default=0.0))),
        "step": measure.step,
        "reason": None if why is None else _told(why),
    }


def _told(why: Reason) -> dict[str, Any]:
    return {"kind": why.kind, "text": why.text, "op": why.step and why.step.record, "line": why.line}


def _recorded_again(replay: Replay) -> float:
    """The loss from where the run was. Raises Unchecked unless every op gives what it gave then."""

    largest = 0.0

    def watch(step: Step, results: Sequence[Tensor]) -> None:
        nonlocal largest
        largest = max(largest, _largest(step))
        if not agrees(step, results, largest):
            position = step.record.position
            line = "" if position is None else f" on line {position[0]}"
            raise Unchecked(
                f"{step.record.op.name}{line} gives something else when it runs again: it draws random numbers, or "
                "what it reads was changed in a way that cannot be followed."
            )

    loss = _float(replay.loss(constant(widened(np.asarray(replay.tape.value))), watch))
    if not np.isfinite(loss):
        raise Unchecked("The loss is not a finite number: it has no derivative.")
    return loss


def _largest(step: Step) -> float:
    """The largest finite number that an op met."""
    arrays = [reading.array(t) for t in step.record.inputs if isinstance(t, Tensor)]
    numbers = [np.abs(a[np.isfinite(a)]) for a in map(np.asarray, arrays) if a.dtype.kind in dtypes.INEXACT]
    return max([float(np.max(n, initial=0.0)) for n in numbers], default=0.0)


def _affordable(fuel: int, limits: Limits, pairs: bool) -> int:
    """How many elements can be moved for what a run may take, when once through costs `fuel`."""
    runs = 2 * limits.fuel // (3 * max(fuel, 1))
    return max(1, min(ELEMENTS, (runs - 3) // (4 if pairs else 2)))


def chosen(gradient: Any, most: int) -> list[tuple[int, ...]]:
    """Places to look at, in order: all if there are few, or the largest numbers and evenly spread ones."""
    size = gradient.size
    if size <= most:
        flat = range(size)
        return [tuple(map(int, np.unravel_index(i, gradient.shape))) for i in flat]
    magnitude = np.nan_to_num(np.abs(gradient).reshape(-1), nan=np.inf)
    largest = np.argsort(-magnitude, kind="stable")[: (most + 1) // 2]
    spread = np.linspace(0, size - 1, most - len(largest)).astype(int) if most > 1 else largest[:0]
    return [tuple(map(int, np.unravel_index(i, gradient.shape))) for i in sorted({*largest.tolist(), *spread.tolist()})]


def _noise(gradient: Any, dtype: Any) -> tuple[float, float]:
    """(relative, absolute) differences that the run's own precision explains."""
    digits = {"e": 1e-3, "E": 8e-3}.get(dtype.char, 0.0)
    finite = np.abs(gradient[np.isfinite(gradient)]) if gradient.size else gradient
    return max(RELATIVE, 10 * digits), max(1e-4, 2 * digits) * float(np.max(finite, initial=0.0))


class _Measure:
    """Moves elements of the leaf; remembers what the ops give where it is."""

    def __init__(self, replay: Replay, value: Any, base: float, noise: tuple[float, float]) -> None:
        self.replay, self.value, self.base = replay, value, base
        self.relative, self.absolute = noise
        finite = np.abs(value[np.isfinite(value)])
        largest = float(np.max(finite, initial=0.0))
        self.step = STEP * (largest or 1.0)
        self.zero = 8 * np.finfo(np.float32).eps * abs(base) / max(largest, 1.0)
        """Slopes that are lost in the digits of the loss."""

    def element(self, index: tuple[int, ...], autograd: Any) -> Element:
        left: Any
        right: Any
        here = complex_or_float(self.value[index])
        try:
            left, right = self._slopes(index, 1.0)
        except Unchecked:  # other sizes a little to the side: of what fulfils a condition, say
            return Element(index, here, autograd, np.nan, np.nan, np.nan, agrees=False, corner=False, jump=True)
        if self.value.dtype.kind == "c":
            down, up = self._slopes(index, 1j)
            left, right = left + 1j * down, right + 1j * up
        numeric = (left + right) / 2
        # What is lost where large losses are subtracted from each other.
        rounding = 64 * np.finfo(np.float64).eps * max(abs(self.base), 1e-300) / self.step
        room = self.relative * max(abs(autograd), abs(numeric)) + self.absolute + rounding
        near = abs(autograd - numeric) <= room or autograd == numeric or max(abs(autograd), abs(numeric)) <= self.zero
        gap, scale = abs(right - left), max(abs(left), abs(right))
        corner = jump = False
        if self.value.dtype.kind != "c" and (not near or gap > 10 * RELATIVE * scale + 4 * rounding):
            before, after = self._slopes(index, 0.25)
            jump = bool(max(abs(before), abs(after)) > 2 * scale + 16 * rounding)
            # A curve is the straighter the closer one looks.
            turns = gap > 10 * RELATIVE * scale + 4 * rounding and abs(after - before) > 0.5 * gap
            corner = bool(turns) and not jump
        return Element(index, here, autograd, numeric, left, right, bool(near), corner, jump)

    def _slopes(self, index: tuple[int, ...], direction: complex) -> tuple[float, float]:
        """The slopes of the loss before and behind an element, over `direction` times the step."""
        before, after = self._moved(index, -direction), self._moved(index, direction)
        step = self.step * abs(direction)
        return (self.base - before) / step, (after - self.base) / step

    def _moved(self, index: tuple[int, ...], direction: complex, watch: Any = None) -> float:
        value = self.value.copy()
        value[index] += self.step * (direction if value.dtype.kind == "c" else direction.real)
        return _float(self.replay.loss(constant(value[()] if not value.shape else value), watch))

    def corner(self, element: Element) -> Corner:
        """The op whose results have another slope to the left of an element than to the right."""
        results: list[list[tuple[Step, list[Any]]]] = []
        for direction in (-1.0, 0.0, 1.0):
            found: list[tuple[Step, list[Any]]] = []
            with suppress(Unchecked):
                self._moved(
                    element.index, direction, lambda s, r, to=found: to.append((s, [t._array.copy() for t in r]))
                )
            results.append(found)
        for (step, before), (_, here), (_, after) in zip(*results, strict=False):
            for a, b, c in zip(before, here, after, strict=True):
                if a.shape != b.shape or b.shape != c.shape:  # as many as fulfil a condition
                    return Corner(step, element.left, element.right, element.jump)
                if b.dtype.kind not in dtypes.INEXACT:
                    continue
                left, right = (b - a) / self.step, (c - b) / self.step
                scale = np.maximum(np.abs(left), np.abs(right))
                if np.any(np.abs(right - left) > 10 * RELATIVE * scale + 1e-4):
                    return Corner(step, element.left, element.right, element.jump)
        return Corner(None, element.left, element.right, element.jump)


def _exact(replay: Replay) -> Any:
    """What autograd computes in float64; None where the graph of the ops says nothing."""
    leaf = constant(widened(np.asarray(replay.tape.value))[()])
    leaf._requires_grad = True
    with enable_grad():
        loss = replay.loss(leaf)
        if not loss.requires_grad:
            return None
        try:
            found = grad([loss], [leaf], allow_unused=True)[0]
        except RuntimeError:  # a write that PyTorch only allows where it was made
            return None
    return None if found is None else found._array


def _row(e: Element) -> dict[str, Any]:
    row = {"index": list(e.index), "agrees": e.agrees}
    for name in ("value", "autograd", "numeric"):
        row[name] = nested(np.asarray(getattr(e, name)))
    if e.corner or e.jump:
        row["left"], row["right"] = nested(np.asarray(e.left)), nested(np.asarray(e.right))
    return row


def _float(loss: Tensor) -> float:
    return float(loss._array)


def complex_or_float(value: Any) -> Any:
    """A number of Python."""
    return complex(value) if np.iscomplexobj(value) else float(value)
