"""Whether a program may bring a tape of its own, and the two more runs that find and tell it."""

from __future__ import annotations

import ast
import logging
from collections.abc import Callable
from typing import Any

from engine.program import Outcome
from engine.tape.observe import Learner
from engine.tape.search import planned
from engine.tape.tell import Teller
from engine.trace import Recorder

STEPS = 20_000
"""Steps of a run that is not looked at again: it took too long."""

_log = logging.getLogger("engine.tape")

Watched = Callable[[Recorder | None, Any], Outcome]
"""Runs the program once more, with a recorder and what else watches."""


def own_tape(
    code: str,
    passes: int,
    outcome: Outcome,
    run: Watched,
    recorder: Callable[[], Recorder],
    in_time: Callable[[], bool],
) -> Any:
    """What there is to tell of a program's own tape: how it ended, its recorder, and who told that; None without one.

    `passes`: how many backward passes PyTorch ran in it; `in_time`: whether there is time for more runs, asked last.
    What the program prints is never another thing: where it were, there is no tape.
    """
    if outcome.fuel_used > STEPS or not _may(code, passes > 0) or not in_time():
        return None
    learner = Learner()
    again = run(None, learner)
    if again.stdout != outcome.stdout:
        return None
    try:
        plan = planned(learner)
    except Exception:  # a fault of ours: the document is there without
        _log.exception("a program's own tape cannot be planned")
        return None
    if plan is None:
        return None
    recording = recorder()
    teller = Teller(plan, recording)
    last = run(recording, teller)
    same = last.stdout == outcome.stdout and (last.error is None) == (outcome.error is None)
    return (last, recording, teller) if same and not teller.failed else None


_ARITHMETIC = frozenset("__add__ __radd__ __mul__ __rmul__ __sub__ __truediv__ __pow__ __matmul__".split())


def _may(code: str, has_passes: bool) -> bool:
    """Whether the text may hold one; where PyTorch ran passes, only if a class has arithmetic of its own."""
    has_arithmetic = any(name in code for name in _ARITHMETIC)
    if has_passes and not has_arithmetic:
        return False
    if not has_passes and "def " not in code and "lambda" not in code:
        return False
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    functions = stores = False
    multiplies = has_arithmetic
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.Lambda():
                functions = True
            case ast.BinOp(op=ast.Mult()) | ast.AugAssign(op=ast.Mult()):
                multiplies = True
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) | ast.Return(ast.Tuple()):
                stores = True
        if functions and stores and multiplies:
            return True
    return False
