"""All rules, and the findings of a document."""

from __future__ import annotations

from typing import Any

from . import arrival, graphs, learning, losses, membership, order, sickness, writes
from .facts import Facts
from .finding import Rule
from .listing import Listing

RULES: list[Rule] = [
    *arrival.RULES, *membership.RULES, *order.RULES, *losses.RULES, *writes.RULES, *graphs.RULES, *sickness.RULES,
    *learning.RULES,
]  # fmt: skip
"""In the order in which they are explained."""

EACH = 20
"""Findings of one rule in a document."""

RANK = {"error": 0, "warning": 1, "hint": 2}


def findings(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What rules find in a run document, worst first: entries of its field `findings`.

    Reads nothing but the document, which may come from a file.
    """
    if not document["tensors"]:
        return []
    listing = Listing(document) if len(document.get("files", ())) > 1 else None
    facts = Facts(document) if listing is None else Facts(listing.document, listing.line)
    rows = [rule.row(found) for rule in RULES for found in list(rule.find(facts))[:EACH]]
    rows.sort(key=lambda row: (RANK[row["severity"]], row["lines"][:1]))
    return rows if listing is None else [listing.own(row) for row in rows]
