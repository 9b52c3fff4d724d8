"""What a notebook is asked: whether there is one, to show a run, and what it calls a cell."""

from __future__ import annotations

import sys
from typing import Any


def display(run: Any) -> bool:
    """Show a run in the output of the cell that runs; False where there is no notebook."""
    shell = running_shell()
    if shell is None or type(shell).__name__ == "TerminalInteractiveShell":
        return False
    sys.modules["IPython"].display.display(run)
    return True


def cell_of(text: str) -> str | None:
    """What a notebook calls the last cell that has this text in it: `In [2]`; None where there is no such cell."""
    cells: list[str] = getattr(getattr(running_shell(), "history_manager", None), "input_hist_raw", [])
    wanted = text.strip()
    found = [number for number, cell in enumerate(cells) if wanted and wanted in cell]
    return f"In [{found[-1]}]" if found else None


def running_shell() -> Any:
    """The shell of IPython that this process runs in, or None."""
    IPython = sys.modules.get("IPython")
    return None if IPython is None else IPython.get_ipython()
