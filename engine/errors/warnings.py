"""Warnings, issued through Python's `warnings`.

What PyTorch warns about once per process is warned about once per run.
"""

from __future__ import annotations

import warnings

from engine import settings

_given: set[str] = settings.contents(set())


def warn(category: type[Warning], text: str, *, once: str | None = None) -> None:
    """Warn, unless a warning with the key ``once`` was already given in this run."""
    if once is not None:
        if once in _given:
            return
        _given.add(once)
    warnings.warn(text, category, stacklevel=3)
