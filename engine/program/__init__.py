"""Run a program in this Python: its own tree with calls of ours in it, what it finds here, and what came of it.

    execute(code, limits=…, recorder=…, seed=…) -> Outcome
    prepare()  so that the next one begins at once

README.md says what is where.
"""

from engine.program.errors import Error, Frame
from engine.program.outcome import Outcome, Warned
from engine.program.runner import Beside, execute
from engine.program.surroundings import leave, prepare

__all__ = ["Beside", "Error", "Frame", "Outcome", "Warned", "execute", "leave", "prepare"]
