"""In which order the elements of a result lie in memory, where PyTorch does not leave that to chance.

numpy keeps the order that all operands agree on, and otherwise takes C's. PyTorch's elementwise kernels follow the
first operand, many other kernels always answer contiguously, and those of images keep the channels last. A program
sees it: `is_contiguous()` and `stride()` say it, `view` refuses some orders, and `reshape` copies where it must, which
is another node.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.kernels.memory_format import alike, channels_last, contiguous

if TYPE_CHECKING:
    from engine.codegen.call import Emitter


def in_formulas(op: Emitter) -> Callable[..., Any]:
    """The kernel of an op as formulas of gradients call it: its result lies in memory as PyTorch's does."""
    layout, _, named = op.formula_format.partition(" ")
    if not layout:
        return op.kernel
    kernel, arrange = op.kernel, _ARRANGE[layout]
    image = [p.name for p in op.parameters].index(named) if named else 0

    @functools.wraps(kernel)
    def laid_out(*arguments: Any, **options: Any) -> Any:
        return arrange(kernel(*arguments, **options), arguments, image)

    return laid_out


def _like_operands(out: Any, arguments: Sequence[Any], image: int) -> Any:
    for x in arguments:
        if type(x) is np.ndarray and not x.flags.c_contiguous:
            return alike(out, *arguments)
    return out


_ARRANGE: dict[str, Callable[[Any, Sequence[Any], int], Any]] = {
    "contiguous": lambda out, _, image: contiguous(out),
    "preserve": _like_operands,
    "channels_last": lambda out, operands, image: (
        channels_last(out, operands[image]) if operands[image].ndim == 4 else out
    ),
}
"""What brings a result into a memory format, given the operands and which of them is the image."""


def code(op: Emitter) -> list[str]:
    """Code that brings the elements of an op's result `out_` into PyTorch's order."""
    first, kind = op.parameters[0].name + "_", op.parameters[0].kind
    layout, _, named = op.memory_format.partition(" ")
    if layout == "contiguous":
        test = "True" if op.outputs else "type(out_) is ndarray and not out_.flags.c_contiguous"
        return [f"    if {test}: out_ = contiguous(out_)"]
    if layout == "channels_last":
        images = [f"{name}_" for name in named.split()] or [f"{first}[0]" if kind == "tensors" else first]
        return [f"    if {images[0]}.ndim == 4: out_ = channels_last(out_, {', '.join(images)})"]
    operands = [p.name + "_" for p in op.parameters if p.kind in ("grad", "tensor")]
    if layout == "preserve_self":
        own = f"type({first}) is ndarray and {first}.shape == out_.shape"
        return [f"    if type(out_) is ndarray: out_ = alike(out_, {first}) if {own} else contiguous(out_)"]
    if layout == "preserve" or len(op.promote) > 1 and len(operands) > 1 and not op.outputs:
        shaped = operands if len(operands) > 2 else operands[:1]
        test = " or ".join(f"type({x}) is ndarray and {x}.ndim > 1 and not {x}.flags.c_contiguous" for x in shaped)
        if len(operands) == 2:
            a, b = operands
            test += f" or type({b}) is ndarray and {b}.ndim > 1 and not {b}.flags.c_contiguous"
            test += f" and getattr({a}, 'shape', ()) != {b}.shape"
        return [f"    if {test}: out_ = alike(out_, {', '.join(operands)})"]
    return []


def gradient_code(op: Emitter) -> list[str]:
    """Code of a vjp on numpy values that brings the elements of gradients `d0`, `d1` … into PyTorch's order."""
    named = op.gradient_format.split()
    if not named:
        return []
    factors, masked = op.gradient_follows == "factor", op.gradient_follows == "operands"
    spread = "" if factors or masked else " and 0 not in g.strides"
    lines = [f"    if type(g) is ndarray and not g.flags.c_contiguous{spread}:"]
    for i, p in enumerate(op.inputs):
        if p.name in named:
            others = "self_, other_" if masked else ("self_" if i else "other_") if factors else ""
            lines.append(f"        if d{i} is not None: d{i} = alike(d{i}, g, {others})")
    return lines
