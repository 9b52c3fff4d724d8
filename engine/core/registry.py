"""Every op by name, and what names mean in the texts of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.kernels.names import NUMPY

if TYPE_CHECKING:
    from engine.codegen.op import Op
    from engine.core.node import NodeMeta

__all__ = ["GRAPH", "NODES", "NUMPY", "OPS", "WHEN_DECLARED", "ops"]

OPS: dict[str, Op] = {}
"""Every op by its identifier (`mul`, `sum_dim`)."""

GRAPH: dict[str, Any] = {"np": np, "inf": float("inf"), "nan": float("nan")}
"""Meaning of names in formulas when the gradient is itself recorded."""

NODES: dict[str, NodeMeta] = {}
"""The first class of each node name."""

WHEN_DECLARED: list[Callable[[Op], None]] = []
"""Functions called with every op once it is declared."""


class Calls:
    """`ops.exp(x)` runs an op, wherever it is declared, and `ops.exp_(x)` writes its result over `x`.

    Of an overload it is `ops.sum_dim(x, 0)` and `ops.fill_Scalar_(x, 1)`. An identifier that is computed is read with
    `getattr(ops, identifier)`. AttributeError where there is no such op.
    """

    if TYPE_CHECKING:

        def __getattr__(self, identifier: str) -> Callable[..., Any]: ...


ops = Calls()
