"""From syntax tree to closures: every node becomes one Python function of a frame, specialised for what it contains.

    core        dispatch by exact node type, blocks, positions, refusals
    scope       which frame and slot a name lives in
    names       loading, storing, deleting, imports
    inspecting  attributes that are only looked at, which are recorded
    operators   arithmetic, comparison, subscripts, attributes, f-strings
    calls       calls
    functions   def, lambda, argument binding
    classes     class
    loops       for, while, comprehensions
    control     if, try, with, raise, assert, return …
    generators  bodies that yield
    patterns    match
    doubtful    what is warned of

A statement's function returns None, BREAK, CONTINUE, or a 1-tuple with the value of `return`.
"""

from engine.program.compiler import (  # noqa: F401 - importing registers the node types
    calls,
    classes,
    control,
    functions,
    generators,
    loops,
    names,
    operators,
    patterns,
)
from engine.program.compiler.core import compile_program
from engine.program.compiler.doubtful import doubts
from engine.program.instrument import looked_at

__all__ = ["compile_program", "doubts", "looked_at"]
