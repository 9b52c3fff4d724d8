"""Every op as the API and the reference page list it."""

from __future__ import annotations

from typing import Any

import engine.torch  # noqa: F401 - which declares the ops
from engine.codegen import latex, publish
from engine.core.registry import OPS
from engine.core.tensor import Tensor


def ops_catalogue() -> list[dict[str, Any]]:
    """Rows and composites by name: signature, node, formulas as text and LaTeX, what the page says, and where."""
    rows: list[dict[str, Any]] = []
    covered: set[str] = set()
    for row in OPS.values():
        covered.add(row.name)
        rows.append(
            {
                "name": row.name,
                "overload": row.full_name,
                "signature": row.signature,
                "node": row.node_name,
                "composite": False,
                "differentiable": [p.name for p in row.inputs],
                "formula": latex.described(row.formulas, row.tex),
                "saved": list(row.saved_tensors + row.saved_outputs),
                "says": row.says or None,
                "available_as": _places(row.name),
            }
        )
    for name in sorted({*publish.TORCH, *publish.FUNCTIONAL} - covered):
        if name.endswith("_") or name.startswith("_"):
            continue
        rows.append(
            {
                "name": name,
                "overload": name,
                "signature": None,
                "node": None,
                "composite": True,
                "differentiable": [],
                "formula": {},
                "saved": [],
                "says": None,
                "available_as": _places(name),
            }
        )
    rows.sort(key=lambda r: (r["name"], r["overload"]))
    return rows


def _places(name: str) -> list[str]:
    places = []
    if name in publish.TORCH:
        places.append(f"torch.{name}")
    if hasattr(Tensor, name):
        places.append(f"Tensor.{name}")
    if name in publish.FUNCTIONAL:
        places.append(f"torch.nn.functional.{name}")
    for space in ("special", "linalg", "fft"):
        if name in publish.NAMESPACES[space]:
            places.append(f"torch.{space}.{name}")
    return places
