"""A document inside the viewer: one HTML file that needs no network, or a frame of a notebook."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PLACE = '<script type="application/json" id="run-document"></script>'
"""Where the viewer takes the document from."""

_INERT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""What could end the element, or begin another, is written so that only JSON reads it."""


def viewer() -> str:
    """The page without a document: `viewer.html` of this package, in the repository a link to that of `static/`."""
    path = Path(__file__).parent / "viewer.html"
    if not path.is_file():
        raise FileNotFoundError("viewer.html is not installed; run.save('run.json') still writes the document")
    return path.read_text("utf-8")


def page(document: Mapping[str, Any], empty: str | None = None) -> str:
    """The viewer with a document in it. `empty`: the page to put it into, if not the one of this package."""
    empty = viewer() if empty is None else empty
    before, place, after = empty.partition(PLACE)
    if not place or PLACE in after:
        raise ValueError("the viewer has no place for a document, or several")
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_INERT)
    text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return f"{before}{PLACE.replace('></', f'>{text}</')}{after}"


def without_source(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without the text of its files and where they lay: with their names alone, and without what was typed
    to start the program. What it printed, and what variables are called, stays."""
    left = {key: value for key, value in document["origin"].items() if key != "argv"}
    files = [{**file, "name": re.split(r"[/\\\\]", file["name"])[-1], "code": ""} for file in document["files"]]
    reduced = {**document, "source": {**document["source"], "code": ""}, "files": files, "origin": left}
    if "findings" in document:
        reduced["findings"] = [{**finding, "fix": {"text": finding["fix"]["text"]}} for finding in document["findings"]]
    return reduced


def frame(document: Mapping[str, Any], height: int = 720) -> str:
    """The page as a frame that may run its own scripts and nothing else."""
    inside = html.escape(page(document), quote=True)
    style = f"width:100%;height:{height}px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{style}" title="Backlight" srcdoc="{inside}"></iframe>'
