"""Run a stranger's program without running Python: parse, compile to closures over values of our own, count fuel.

    execute(source, limits=…, recorder=…, seed=…) -> Outcome

No text of the program ever reaches `exec`, `eval` or `compile`; README.md says how it is built.
"""

from engine.program.errors import Error, Frame
from engine.program.outcome import Outcome, Warned
from engine.program.run import execute
from engine.program.session import Recorder

__all__ = ["Error", "Frame", "Outcome", "Recorder", "Warned", "execute"]
