"""Gradients of complex numbers.

A formula such as `g * cos(self)` multiplies a gradient by a derivative. For complex numbers PyTorch's gradient points
in the direction of steepest ascent, which is `g` times the *conjugate* of the derivative. Formulas are linear in `g`,
so one conjugation before and one after give just that:

    conj(conj(g) · f') = g · conj(f')

Rows of functions that are not analytic, and those written for complex matrices, mind conjugates themselves. Rows that
only move numbers, or add them up, need none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.core.node import Node
from engine.core.registry import GRAPH
from engine.core.state import state

AWARE_GROUPS = frozenset("complexes decompositions fourier least_squares matrix_exp reflections solve".split())
"""Files of rows whose formulas mind conjugates."""
AWARE = frozenset("renorm sgn std_mean var_mean vdot".split())
"""Other such rows."""


def gradients(node: Node, g: Any, edges: tuple[Node | None, ...], graph: bool) -> Sequence[Any]:
    """What a node makes of its gradient: numpy values, or Tensors when the computation is recorded."""
    run = node.apply_graph if graph else node.apply
    op = node.op
    if not state.complex or op is None or not op.multiplies or op.group in AWARE_GROUPS or op.identifier in AWARE:
        return run(g, edges)
    several = node.outputs is not None
    if not any(map(_is_complex, g) if several else (_is_complex(g),)):
        return run(g, edges)
    turned = [conjugate(part) for part in g] if several else conjugate(g)
    return [conjugate(d) for d in run(turned, edges)]


def _is_complex(value: Any) -> bool:
    return value is not None and getattr(value, "_array", value).dtype.kind == "c"


def conjugate(value: Any) -> Any:
    """The conjugate of a complex gradient; anything else as it is."""
    if not _is_complex(value):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return np.conj(value) + 0  # and no negative zeros where there was nothing
    return GRAPH["conj"](value)
