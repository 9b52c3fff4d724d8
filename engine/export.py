"""A run document as one page that plays it without a service: `static/viewer.html` with the document in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

VIEWER = Path(__file__).resolve().parents[1] / "static" / "viewer.html"
PLACE = '<script type="application/json" id="run-document"></script>'
INERT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""What could end the element, or begin another, is written so that only JSON reads it."""


def page(document: Mapping[str, Any]) -> str:
    """The page. Raises OSError where the viewer is not beside the engine, as in an installation without the service."""
    before, place, after = VIEWER.read_text(encoding="utf-8").partition(PLACE)
    assert place and PLACE not in after, "the viewer has one place for a document"
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(INERT)
    return before + PLACE.replace("></", f">{text}</") + after
