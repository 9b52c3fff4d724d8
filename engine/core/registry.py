"""Every op by name, and what names mean in the texts of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.kernels.names import NUMPY

if TYPE_CHECKING:
    from engine.codegen.op import Op
    from engine.core.node import NodeMeta

__all__ = ["GRAPH", "NODES", "NUMPY", "OPS", "ops"]

OPS: dict[str, Op] = {}
"""Every op by its identifier (`mul`, `sum_dim`)."""

GRAPH: dict[str, Any] = {"np": np, "inf": float("inf"), "nan": float("nan")}
"""What names mean in formulas when the gradient is itself recorded."""

NODES: dict[str, NodeMeta] = {}
"""The first class of each node name."""


class _Calls:
    """`ops.exp(x)` in rules and composites: the call of an op, wherever it is declared."""

    def __getattr__(self, identifier: str) -> Callable[..., Any]:
        row = OPS.get(identifier)
        if row is None:
            raise AttributeError(f"no op {identifier!r}")
        setattr(self, identifier, row.call)
        return row.call


ops = _Calls()
