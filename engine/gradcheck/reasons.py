"""Why a gradient is not what central differences say, where that has a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.autograd.function import FunctionOp
from engine.gradcheck.replay import Replay, widened
from engine.gradcheck.tape import Step, Tape
from engine.types.bfloat16 import SHORT

_ASTRAY, _HALF_ASTRAY = 0.05, 0.5
"""How far rounding can lead astray, as a share of the largest gradient: in general, and in half precision."""


@dataclass(slots=True)
class Element:
    """One number of a gradient. `left` and `right` are the slopes of the loss to either side, at a `corner`
    two of them; at a `jump` they are the steeper the closer one looks."""

    index: tuple[int, ...]
    value: Any
    autograd: Any
    numeric: Any
    left: Any
    right: Any
    agrees: bool
    corner: bool
    jump: bool


@dataclass(slots=True)
class Corner:
    """Where the loss has two slopes, or jumps; `step` is the op that makes it so, if one alone does."""

    step: Step | None
    left: Any
    right: Any
    jump: bool


@dataclass(slots=True)
class Reason:
    """`kind`: corner, jump, not_finite, custom_function, hook, rule, precision, or unknown; `line`: where to look in
    the program."""

    kind: str
    text: str
    step: Step | None = None
    line: int | None = None


def reason(tape: Tape, replay: Replay, wrong: Sequence[Element], corner: Corner | None, exact: Any) -> Reason | None:
    """Why `wrong` elements differ, or what else there is to say of them; None for a gradient that just agrees.

    `exact`: the whole gradient as autograd computes it in float64 from ops alone.
    """
    if any(not np.isfinite(e.autograd) or not np.isfinite(e.numeric) and not e.jump for e in wrong):
        return Reason(
            "not_finite",
            "One of the two is not a finite number: a value on the way is infinite or not a number (log or division at "
            "0, overflow), or would be a little to the side.",
        )
    smooth = [e for e in wrong if not e.corner and not e.jump]
    if corner is not None and not smooth:
        return _of_corner(corner, bool(wrong))
    if not wrong:
        return None
    whole = None if exact is None else widened(np.asarray(exact))
    functions = [step for step in replay.steps if isinstance(step.record.op, FunctionOp)]
    if tape.hooks:
        line = tape.hooks[0].registered
        text = "A hook changed the gradient on its way here."
        return Reason("hook", text, line=None if line is None else int(line[0]))
    if functions:
        return _of_function(functions[0], sorted(replay.opaque))
    if whole is None:
        return Reason("unknown", _UNKNOWN)
    if all(_near(whole[e.index], e.autograd) for e in smooth):
        return _of_rule(replay)
    largest = float(np.max(np.abs(whole[np.isfinite(whole)]), initial=0.0))
    half = np.asarray(tape.value).dtype.char in SHORT or _halves(replay)
    room = (_HALF_ASTRAY if half else _ASTRAY) * largest
    if all(_near(whole[e.index], e.numeric) and abs(e.autograd - e.numeric) <= room for e in smooth):
        return Reason(
            "precision",
            "In float64 autograd gives the same number as central differences: the run lost digits in its own dtype.",
        )
    return Reason("unknown", _UNKNOWN)


_UNKNOWN = "Neither a corner, a hook, a custom Function nor rounding explains the difference."


def _of_corner(corner: Corner, differs: bool) -> Reason:
    where = "The loss" if corner.step is None else corner.step.record.op.name
    line = None if corner.step is None else _line(corner.step)
    if corner.jump:
        text = f"{where} jumps here: it has no derivative. PyTorch takes the one beside the jump."
        return Reason("jump", text, corner.step, line)
    slopes = f"{corner.left:.4g} to the left and {corner.right:.4g} to the right"
    end = (
        "PyTorch picks one derivative there; central differences give the mean."
        if differs
        else "PyTorch's choice is the mean of both."
    )
    text = f"{where} has a corner (or a tie) exactly here: the derivative is {slopes}. {end}"
    return Reason("corner", text, corner.step, line)


def _of_function(step: Step, opaque: Sequence[str]) -> Reason:
    name = step.record.op.name
    if opaque:
        text = (
            f"The forward of {opaque[0]} computes in ways that cannot be followed (NumPy, Python numbers, a backward "
            "pass of its own): this number cannot be judged."
        )
    else:
        text = (
            f"The backward of {name} does not compute the derivative of its forward. If that is meant (a "
            "straight-through estimator, gradient reversal, clipping), all is well; if not, the mistake is in backward."
        )
    return Reason("custom_function", text, step, _line(step))


def _of_rule(replay: Replay) -> Reason:
    """Autograd means it, in float64 as well: some op's gradient is no slope."""
    for step in replay.steps:
        op, (option, left_out) = step.record.op, step.record.op.gradient_omits
        arguments = dict(zip([p.name for p in op.parameters], step.record.inputs, strict=False))
        if option and (arguments.get(option) or 0) >= 0:
            text = f"{op.name} gives {left_out} no gradient, although the loss depends on it."
            return Reason("rule", text, step, _line(step))
    return Reason(
        "rule",
        "PyTorch defines the gradient of an op on the way otherwise than as its derivative: autograd gives the same "
        "number in float64.",
    )


def _halves(replay: Replay) -> bool:
    """Whether something on the way was computed in half precision."""
    return any(
        getattr(getattr(value, "array", value), "dtype", np.dtype(bool)).char in SHORT
        for step in replay.steps
        for value in step.record.values
    )


def _near(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= 1e-3 * max(abs(a), abs(b)) + 1e-6)


def _line(step: Step) -> int | None:
    position = step.record.position
    return None if position is None else int(position[0])
