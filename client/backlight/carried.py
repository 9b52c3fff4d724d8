"""What the service knows of a document, without the service: rooms of its engine, to which links lead from here."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from importlib import metadata
from types import ModuleType
from typing import Any

from .explained import Expression, explain, owners, slips


def version() -> str:
    """The version of Backlight that this package was built from."""
    try:
        return metadata.version("backlight")
    except metadata.PackageNotFoundError:  # from the repository, unbuilt
        return "unbuilt"


class Absent:
    """In the place of a module that is not installed: whatever is asked of it raises why."""

    def __init__(self, error: ModuleNotFoundError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise ModuleNotFoundError(f"{self._error}: backlight records it, so it has to be installed", name="torch")


def findings(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What the document's own numbers show to be wrong; nothing where numpy is missing."""
    try:
        found: list[dict[str, Any]] = importlib.import_module(".findings", __package__).findings(document)
        return found
    except ImportError:
        return []


def reports() -> ModuleType | None:
    """What tells findings as data, lines and SARIF; None where numpy is missing, without which there are none."""
    try:
        return importlib.import_module(".findings.reports", __package__)
    except ImportError:
        return None


def explanation(
    error: BaseException, message: str, code: str, place: Sequence[int | None]
) -> tuple[str | None, str | None]:
    """Why an error happened and what helps, or None twice. What concerns the service alone is left out.

    ``place``: of what raised in ``code``: line, column, end_line, end_column.
    """
    found = explain(type(error).__name__, message, owners(error), Expression(code, *place))
    if found is None or any("Backlight" in text for text in found):
        return None, None
    return found.explanation, found.fix


def meant(name: str, names: Iterable[object]) -> tuple[str, str] | None:
    """The one of ``names`` that is very like a name that is not there, and a sentence that says so."""
    found = slips.meant(name, names)
    return None if found is None else (found, slips.fix(found))
