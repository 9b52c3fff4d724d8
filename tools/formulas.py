"""Bake the formulas of the engine's rows for the client: `python -m tools.formulas` writes its formulas.json.

By the name of a node: what the rows that make it say. A node of several rows has them by overload.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import engine.torch  # noqa: F401 - which declares the ops
from engine.codegen import latex
from engine.core.complex import conjugates
from engine.core.registry import OPS

TARGET = Path(__file__).parents[1] / "client" / "backlight" / "formulas.json"


def formulas() -> dict[str, dict[str, Any]]:
    """`{node: {overload: {"formula": {input: {text, latex}}, "says": text or None}}}`; and "complex", where the formula
    is another one for complex numbers."""
    found: dict[str, dict[str, Any]] = {}
    for row in OPS.values():
        if row.node_name:
            entry = {"formula": latex.described(row.formulas, row.tex), "says": row.says or None}
            if conjugates(row):
                of_complex = latex.described(row.formulas, row.tex, conjugate=True)
                if of_complex != entry["formula"]:
                    entry["complex"] = of_complex
            if row.says_of_complex:
                entry["says_of_complex"] = row.says_of_complex
            found.setdefault(row.node_name, {})[row.full_name] = entry
    return {name: found[name] for name in sorted(found)}


def baked() -> str:
    """The text of the file: one node a line."""
    rows = (f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in formulas().items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    TARGET.write_text(baked(), "utf-8")
