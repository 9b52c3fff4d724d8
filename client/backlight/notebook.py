"""Notebooks: `%load_ext backlight`, `%%backlight`, and where `show` puts a run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def display(run: Any) -> bool:
    """Show a run in the output of the cell that runs; False where there is no notebook."""
    shell = _shell()
    if shell is None or type(shell).__name__ == "TerminalInteractiveShell":
        return False
    sys.modules["IPython"].display.display(run)
    return True


def load(shell: Any) -> None:
    """`%load_ext backlight`: adds the magic `%%backlight`."""
    shell.register_magic_function(_cell, magic_kind="cell", magic_name="backlight")


def cell_of(text: str) -> str | None:
    """What a notebook calls the last cell that has this text in it: `In [2]`; None where there is no such cell."""
    cells: list[str] = getattr(getattr(_shell(), "history_manager", None), "input_hist_raw", [])
    wanted = text.strip()
    found = [number for number, cell in enumerate(cells) if wanted and wanted in cell]
    return f"In [{found[-1]}]" if found else None


def _cell(line: str, cell: str) -> Any:
    """Run a cell, record it, and show the recording; nothing where the cell is no Python."""
    from .run import Run  # noqa: PLC0415 - which offers `display` to its runs

    shell = _shell()
    run = Run()
    name = shell.compile.cache(cell, shell.execution_count)
    run.begin(name)
    error: BaseException | None = None
    try:
        with _showing_the_program_alone(shell):
            result = shell.run_cell(cell)
        error = result.error_in_exec
    except BaseException as raised:
        error = raised
        raise
    finally:
        run.end(error, _used(shell.user_ns))
    return run if result.error_before_exec is None else None


@contextmanager
def _showing_the_program_alone(shell: Any) -> Iterator[None]:
    """Errors are shown while the cell still runs: without the frames of the recorder."""
    from .errors import tidy  # noqa: PLC0415 - PyTorch need not be there yet

    original = shell.showtraceback

    def showtraceback(*args: Any, **kwargs: Any) -> Any:
        tidy(sys.exception())
        return original(*args, **kwargs)

    shell.showtraceback = showtraceback
    try:
        yield
    finally:
        del shell.showtraceback


def _used(names: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in names.items() if not name.startswith("_")}


def _shell() -> Any:
    IPython = sys.modules.get("IPython")
    return None if IPython is None else IPython.get_ipython()
