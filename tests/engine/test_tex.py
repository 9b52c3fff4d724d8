"""Formulas as LaTeX: a row's own where it has one, else what follows from its text."""

from __future__ import annotations

from engine import ops
from engine.codegen import latex
from engine.core.registry import OPS


def test_every_formula_of_every_row_has_its_own_mathematics() -> None:
    assert ops.__name__ == "engine.ops" and len(OPS) > 500
    for op in OPS.values():
        shown = latex.described(op.formulas, op.tex)
        assert list(shown) == list(op.formulas)
        assert all(formula["latex"] for formula in shown.values())


def test_a_row_gives_one_for_all_or_one_for_each() -> None:
    formulas = {"a": "g * b", "b": "g * a"}
    assert latex.described(formulas, None)["a"]["latex"] == r"g \cdot b"
    assert [f["latex"] for f in latex.described(formulas, "G").values()] == ["G", "G"]
    assert [f["latex"] for f in latex.described(formulas, ("G B", "A G")).values()] == ["G B", "A G"]


def test_what_a_call_gave_is_put_in_and_choices_are_made() -> None:
    formulas = {"other": "g if alpha == 1 else g * alpha"}
    assert latex.described(formulas, None, (("alpha", 1),))["other"]["latex"] == "g"
    assert latex.described(formulas, None, (("alpha", 3),))["other"]["latex"] == r"g \cdot 3"
