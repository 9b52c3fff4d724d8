"""A program's own tape: scalar autograd that a program brings itself, drawn as PyTorch's graph is.

    own_tape(code, …) -> (Outcome, Recorder, Teller) | None

README.md says what is where.
"""

from engine.tape.runs import own_tape

__all__ = ["own_tape"]
