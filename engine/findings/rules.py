"""All rules, and the findings of a document."""

from __future__ import annotations

import logging
from typing import Any

from . import (
    anew,
    arrival,
    conventions,
    flags,
    frozen,
    functions,
    graphs,
    hooks,
    learning,
    losses,
    membership,
    objectives,
    order,
    sickness,
    signs,
    tapes,
    targets,
    writes,
)
from .facts import Facts
from .finding import Rule
from .listing import Listing

_log = logging.getLogger("engine.findings")

_GROUPS = ("arrival", "construction", "sickness", "learning", "convention")

_PARTS = (
    arrival, membership, flags, frozen, order, anew, losses, objectives, targets, signs, writes, functions, hooks,
    graphs, tapes, sickness, learning, conventions,
)  # fmt: skip

RULES: list[Rule] = sorted((rule for part in _PARTS for rule in part.RULES), key=lambda rule: _GROUPS.index(rule.group))
"""In the order in which they are explained."""

EACH = 20
"""Findings of one rule in a document."""

RANK = {"error": 0, "warning": 1, "hint": 2}


def findings(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Apply all rules to a run document. Gives the entries of its field `findings`, worst first.

    Reads nothing but the document, which may come from a file. It is worth more than what is said about it: what fails
    here is logged, and takes nothing else with it.
    """
    if not document["tensors"]:
        return []
    try:
        listing = Listing(document) if len(document.get("files", ())) > 1 else None
        facts = Facts(document) if listing is None else Facts(listing.document, listing.line)
    except Exception:
        _log.exception("the document cannot be indexed")
        return []
    rows = [row for rule in RULES for row in _rows(rule, facts)]
    rows.sort(key=lambda row: (RANK[row["severity"]], row["lines"][:1]))
    return rows if listing is None else [listing.own(row) for row in rows]


def _rows(rule: Rule, facts: Facts) -> list[dict[str, Any]]:
    try:
        return [rule.row(found) for found in list(rule.find(facts))[:EACH]]
    except Exception:
        _log.exception("rule %s failed", rule.name)
        return []
