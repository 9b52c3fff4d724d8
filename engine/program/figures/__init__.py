"""What programs draw with matplotlib, as the page shows it: data where it can be told, else matplotlib's own picture.

matplotlib is loaded by `preload`, before a process is locked, and not by importing this.
"""

from __future__ import annotations

from engine.program.figures.shown import Shown, showing

__all__ = ["Shown", "preload", "showing"]


def preload() -> None:
    """Load matplotlib with all it reads from files: fonts, styles, what its backends are made of."""
    from engine.program.figures import loading  # noqa: PLC0415 - matplotlib takes most of a second

    loading.load()
