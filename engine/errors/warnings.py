"""Warnings, issued through Python's `warnings`.

What PyTorch warns about once per process is warned about once per run; :func:`reset_once` starts a new one.
"""

from __future__ import annotations

import warnings

_given: set[str] = set()


def warn(category: type[Warning], text: str, *, once: str | None = None) -> None:
    """Warn, unless a warning with the key ``once`` was already given in this run."""
    if once is not None:
        if once in _given:
            return
        _given.add(once)
    warnings.warn(text, category, stacklevel=3)


def reset_once() -> None:
    """Forget which warnings were given; called when a run starts."""
    _given.clear()
