"""Formulas and expressions as syntax trees, which the page writes with names or numbers in them and evaluates.

Text → a tree of JSON: a name is a string, a number itself, an operator or call a list: ``["*", "g", ["cos", "x"]]``.
"""

from .document import trees
from .tree import Tree, read, read_formula

__all__ = ["Tree", "read", "read_formula", "trees"]
