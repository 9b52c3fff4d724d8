"""The formulas of nodes, as the engine's rows have them."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any


@functools.cache
def formulas() -> dict[str, dict[str, Any]]:
    """Formulas by the name of the node and of the operator."""
    found: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "formulas.json").read_text("utf-8"))
    return found


@functools.cache
def underscored() -> frozenset[str]:
    """Operators whose names begin with an underscore also where they are shown."""
    names = {overload.partition(".")[0] for rows in formulas().values() for overload in rows}
    return frozenset(name for name in names if name.startswith("_"))
