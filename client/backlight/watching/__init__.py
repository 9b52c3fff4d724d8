"""A training that goes on, of which iterations are recorded.

`watched.py` has the hook of the optimizer, `log.py` what is kept, `columns.py` its numbers, `control.py` whether the
training waits, `pages.py` the page and `server.py` its address.
"""

from __future__ import annotations

from .watched import Watched

__all__ = ["Watched"]
