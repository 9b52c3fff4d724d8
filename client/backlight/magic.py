"""The magic of notebooks: `%load_ext backlight`, `%%backlight`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .errors import tidy
from .notebook import running_shell
from .run import Run


def load(shell: Any) -> None:
    """`%load_ext backlight`: adds the magic `%%backlight`."""
    shell.register_magic_function(_cell, magic_kind="cell", magic_name="backlight")


def _cell(line: str, cell: str) -> Any:
    """Run a cell, record it, with `--seconds` also how long it took, and show the recording; nothing where the cell is
    no Python."""
    shell = running_shell()
    run = Run(seconds="--seconds" in line.split())
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
