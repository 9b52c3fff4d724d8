"""The catalogue of ops (`/v1/ops`), as types."""

# No `from __future__ import annotations`, as in rows.py.
from typing import Annotated, TypedDict

from .rows import Formula


class CatalogueOp(TypedDict):
    """One op: an op with a derivative of its own, or (`composite`) one that is made of others."""

    name: str
    overload: str
    signature: str | None
    node: Annotated[str | None, "Name of its node in the backward graph."]
    composite: bool
    differentiable: Annotated[list[str], "The inputs it has a formula for."]
    formula: dict[str, Formula]
    saved: Annotated[list[str], "What it saves for the backward pass."]
    says: str | None
    available_as: Annotated[list[str], "Where programs find it."]


class Catalogue(TypedDict):
    """Every op of the engine."""

    ops: list[CatalogueOp]
