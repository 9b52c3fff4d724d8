"""What the service knows of a document, without the service: modules of its engine that this package is built with."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any


def version() -> str:
    """The version of Backlight that this package was built from."""
    try:
        return metadata.version("backlight")
    except metadata.PackageNotFoundError:  # from the repository, unbuilt
        return "unbuilt"


def findings(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What the document's own numbers show to be wrong; nothing where numpy is missing."""
    try:
        found: list[dict[str, Any]] = importlib.import_module(".findings", __package__).findings(document)
        return found
    except ImportError:
        return []


def trees(document: dict[str, Any]) -> dict[str, Any]:
    """The syntax trees of the document's formulas and expressions, in which the viewer puts numbers."""
    try:
        found: dict[str, Any] = importlib.import_module(".syntax", __package__).trees(document)
    except ImportError:  # from the repository, unbuilt
        return {}
    return found


def explanation(kind: str, message: str, code: str, place: Sequence[int | None]) -> tuple[str | None, str | None]:
    """Why an error happened and what helps, or None twice. What concerns the service alone is left out.

    ``place``: of what raised in ``code``: line, column, end_line, end_column.
    """
    try:
        explained: Any = importlib.import_module(".explained", __package__)
        found: Any = explained.explain(kind, message, (), explained.Expression(code, *place))
    except ImportError:  # from the repository, unbuilt
        return None, None
    if found is None or any("Backlight" in text for text in found):
        return None, None
    return found.explanation, found.fix


def meant(name: str, names: Iterable[object]) -> tuple[str, str] | None:
    """The one of ``names`` that is very like a name that is not there, and a sentence that says so."""
    try:
        slips: Any = importlib.import_module(".explained.slips", __package__)
    except ImportError:  # from the repository, unbuilt
        return None
    found = slips.meant(name, names)
    return None if found is None else (found, slips.fix(found))
