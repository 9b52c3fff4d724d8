"""The formulas that the client carries are those of the engine's rows."""

from __future__ import annotations

from tools.formulas import TARGET, baked


def test_the_baked_formulas_are_current() -> None:
    """`python -m tools.formulas` writes them."""
    assert TARGET.read_text("utf-8") == baked()
