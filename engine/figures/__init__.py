"""What programs draw with matplotlib, as the page shows it: data where it can be told, else matplotlib's own picture.

matplotlib is loaded by `preload`, before a process is locked, and not by importing this.
"""

from __future__ import annotations

from importlib.util import find_spec

from engine.figures.shown import Shown, showing

__all__ = ["Shown", "preload", "showing"]


def preload() -> bool:
    """Load matplotlib with all it reads from files: fonts, styles, backends. False if it is not installed."""
    if find_spec("matplotlib") is None:
        return False
    from engine.figures import loading  # noqa: PLC0415 - matplotlib takes most of a second

    loading.load()
    return True
