"""Every op as the API lists it, and where programs find it."""

from __future__ import annotations

from typing import Any

import engine.torch  # noqa: F401 - which declares the ops
from engine.codegen import latex, publish
from engine.core.registry import OPS
from engine.core.tensor import Tensor
from engine.program import surface

MODULES = {space: f"torch.{space}" for space in publish.NAMESPACES} | {"torch": "torch", "nn": "torch.nn.functional"}
"""The modules of `torch` that functions are published in."""


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
                "available_as": places(row.name),
            }
        )
    for name in sorted(_composites() - covered):
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
                "available_as": places(name),
            }
        )
    rows.sort(key=lambda r: (r["name"], r["overload"]))
    return rows


def _composites() -> set[str]:
    """Functions that programs can call, named as PyTorch names its ops: `linalg_norm` is `torch.linalg.norm`."""
    return {
        name if space in ("torch", "nn") else f"{space}_{name}"
        for space, module in MODULES.items()
        for name in surface.module_names(module) & publish.NAMESPACES[space].keys()
        if not name.endswith("_") and not name.startswith("_")
    }


def places(name: str) -> list[str]:
    """Where programs find the op of this name."""
    space, _, rest = name.partition("_")
    found = {
        f"torch.{name}": _offers("torch", name),
        f"Tensor.{name}": name in surface.names_of(Tensor) and callable(getattr(Tensor, name, None)),
        f"torch.nn.functional.{name}": _offers("nn", name),
        f"torch.{space}.{rest}": space not in ("torch", "nn") and _offers(space, rest),
    }
    return [place for place, is_there in found.items() if is_there]


def call(name: str) -> str | None:
    """How a program writes an op, given its name or one of its places: `torch.linalg.inv`, `F.relu`, `Tensor.add_`."""
    head, _, last = name.removeprefix("torch.").rpartition(".")
    if name == last:  # PyTorch has functions that take what a method has in `self`, and options with other defaults
        found = sorted(places(name), key=lambda place: place.startswith("Tensor."))
        return _written(found[0]) if found else None
    space = {"": "torch", "F": "nn", "nn.functional": "nn"}.get(head, head)
    if head == "Tensor":
        return _written(f"Tensor.{last}") if f"Tensor.{last}" in places(last) else None
    return _written(f"{MODULES[space]}.{last}") if _offers(space, last) else None


def _written(place: str) -> str:
    if place.startswith("Tensor."):
        return f"torch.{place}"
    return place.replace("torch.nn.functional.", "F.")


def _offers(space: str, name: str) -> bool:
    return name in publish.NAMESPACES.get(space, ()) and name in surface.module_names(MODULES[space])
