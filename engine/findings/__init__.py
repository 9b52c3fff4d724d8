"""Finds what is wrong with a run by its own numbers: rules over a run document."""

from .rules import RULES, findings

__all__ = ["RULES", "findings"]
