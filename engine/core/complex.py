"""Gradients of complex numbers, and of bfloat16, which is rounded after each op.

A formula such as `g * cos(self)` multiplies a gradient by a derivative. For complex numbers PyTorch's gradient points
in the direction of steepest ascent, which is `g` times the *conjugate* of the derivative. Formulas are linear in `g`,
so one conjugation before and one after give just that:

    conj(conj(g) · f') = g · conj(f')

Rows of functions that are not analytic, and those written for complex matrices, mind conjugates themselves. Rows that
only move numbers, or add them up, need none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import errors
from engine.core.node import Node
from engine.core.registry import GRAPH
from engine.core.state import state, unobserved
from engine.core.tensor import Tensor, constant
from engine.limits import meter
from engine.types.bfloat16 import BFLOAT16

if TYPE_CHECKING:
    from engine.codegen.op import Op


def conjugates(op: Op) -> bool:
    """Whether the formulas of an op are meant for real numbers, and taken between conjugates for complex ones."""
    return op.multiplies and not op.wirtinger


def gradients(node: Node, g: Any, edges: tuple[Node | None, ...], graph: bool) -> Sequence[Any]:
    """What a node makes of its gradient: numpy values, or Tensors when the computation is recorded."""
    run = node.apply_graph if graph else node.apply
    op = node.op
    if node.dtype is BFLOAT16 and not graph and op is not None and not op.fused_backward:
        return _stepwise(node, g, edges, node.outputs is not None)
    try:
        return _whole(node, g, edges, run)
    except TypeError as error:
        if str(error).startswith("The numpy boolean negative"):
            raise errors.negate_bool() from None
        raise


def _whole(node: Node, g: Any, edges: tuple[Node | None, ...], run: Callable[..., Sequence[Any]]) -> Sequence[Any]:
    """The gradients by `run`, the formula as it stands, between conjugates where numbers are complex."""
    op = node.op
    if not state.complex or op is None or not conjugates(op):
        return run(g, edges)
    several = node.outputs is not None
    if not any(map(_is_complex, g) if several else (_is_complex(g),)):
        return run(g, edges)
    turned = [conjugate(part) for part in g] if several else conjugate(g)
    return [conjugate(d) for d in run(turned, edges)]


def _stepwise(node: Node, g: Any, edges: tuple[Node | None, ...], several: bool) -> list[Any]:
    """The gradients of bfloat16: by the formula on Tensors, which are rounded after each op."""
    wrapped = [_wrapped(part) for part in g] if several else _wrapped(g)
    grad, state.grad = state.grad, False
    try:
        with unobserved():
            found = node.apply_graph(wrapped, edges)
    finally:
        state.grad = grad
    return [d._array if isinstance(d, Tensor) else d for d in found]


def _wrapped(g: Any) -> Tensor | None:
    return None if g is None else constant(g)


def _is_complex(value: Any) -> bool:
    return value is not None and getattr(value, "_array", value).dtype.kind == "c"


def conjugate(value: Any) -> Any:
    """The conjugate of a complex gradient; anything else as it is."""
    if not _is_complex(value):
        return value
    if isinstance(value, np.ndarray | np.generic):
        meter.charge(value.size >> 8)
        return np.conj(value) + 0  # and no negative zeros where there was nothing
    return GRAPH["conj"](value)
