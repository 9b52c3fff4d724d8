"""The recorder, which watches a run, and the document made from it."""

from engine.trace.document import Builder
from engine.trace.recorder import Recorder

__all__ = ["Builder", "Recorder"]
