"""Types of errors that are not Python's."""

from __future__ import annotations


class LinAlgError(RuntimeError):
    """``torch.linalg.LinAlgError``: a matrix that cannot be inverted or factorised."""


LinAlgError.__module__ = "torch._C"
LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"


class CheckpointError(RuntimeError):
    """The second run of a checkpointed function differs from the first."""

    __module__ = "torch.utils.checkpoint"
