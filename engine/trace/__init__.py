"""What happened in a run: the recorder that watches it, and the document made from it."""

from engine.trace.document import Builder
from engine.trace.recorder import Recorder

__all__ = ["Builder", "Recorder"]
