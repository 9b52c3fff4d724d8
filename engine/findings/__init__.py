"""What a run's own numbers say is wrong: rules over a run document."""

from .rules import RULES, findings

__all__ = ["RULES", "findings"]
