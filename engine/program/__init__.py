"""Run a program in this Python: its own tree with calls of ours in it, what it finds here, and what came of it.

    execute(code, limits=…, recorder=…, seed=…) -> Outcome

README.md says what is where.
"""

from engine.program.errors import Error, Frame
from engine.program.outcome import Outcome, Warned
from engine.program.runner import execute

__all__ = ["Error", "Frame", "Outcome", "Warned", "execute"]
