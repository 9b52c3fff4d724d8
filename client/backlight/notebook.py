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


class _Carrier:
    """The cell whose output has the viewer for all outputs of the notebook. It is none again when that cell runs."""

    def __init__(self) -> None:
        self._cell: str | None = None
        self._shell: Any = None

    def carries(self) -> bool | None:
        """Whether the output that is made now has to have the viewer in it; None where outputs are on their own, or it
        is not known which cell runs."""
        shell = running_shell()
        cell = _running_cell(shell)
        if cell is None or "google.colab" in sys.modules:  # whose outputs do not see each other
            return None
        if self._shell is not shell:
            self._cell, self._shell = None, shell
            shell.events.register("pre_run_cell", self._runs)
        if self._cell is not None:
            return False
        self._cell = cell
        return True

    def _runs(self, info: Any) -> None:
        """A cell is about to run; inside a magic it has no name."""
        if getattr(info, "cell_id", _running_cell(self._shell)) == self._cell:
            self._cell = None


def _running_cell(shell: Any) -> str | None:
    """The name of the cell that runs, where the notebook tells the kernel."""
    parent: dict[str, Any] = shell.get_parent() if hasattr(shell, "get_parent") else {}
    name = (parent.get("metadata") or {}).get("cellId")
    return name if isinstance(name, str) else None


CARRIER = _Carrier()


def running_shell() -> Any:
    """The shell of IPython that this process runs in, or None."""
    IPython = sys.modules.get("IPython")
    return None if IPython is None else IPython.get_ipython()
