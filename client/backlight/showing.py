"""Pages, shown to whoever runs the program."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from pathlib import Path

from .notebook import display


def show(shown: object, page: str | Callable[[], str]) -> None:
    """Show in a notebook what one can display, else its page in a browser; without one, print where the page is.

    `page`: its address, or what makes it.
    """
    if display(shown):
        return
    if isinstance(page, str):
        place = address = page
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="backlight-", delete=False, encoding="utf-8") as f:
            f.write(page())
        place, address = f.name, Path(f.name).as_uri()
    if not (_has_browser() and webbrowser.open(address)):
        print(f"There is no browser here. The page is {place}")


def _has_browser() -> bool:
    """Whether a page can be shown: not in a terminal alone, where Python might take a browser for texts."""
    if sys.platform in ("win32", "darwin") or "BROWSER" in os.environ:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
