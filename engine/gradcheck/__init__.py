"""Gradients beside central differences."""

from engine.gradcheck.asked import MOST, checks

__all__ = ["MOST", "checks"]
