"""Formulas as syntax trees: read once, helper functions spelled out in what they compute."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
import engine.torch as torch
from engine.core.registry import OPS, ops
from engine.syntax import Tree, read, read_formula, trees
from engine.syntax.meanings import CONSTANTS, MEANINGS, SAID

FIXTURE = Path(__file__).parents[1] / "js" / "fixtures" / "trees.json"
FORMULAS = {text for row in OPS.values() for text in row.formulas.values()}
CALLED = {
    node.func.id
    for text in FORMULAS
    for node in ast.walk(ast.parse(text))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
}


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("g * cos(x)", ["*", "g", ["cos", "x"]]),
        ("-x ** 2", ["-", ["**", "x", 2]]),
        ("a if b is not None else -1.5", ["if", ["is not", "b", None], "a", ["-", 1.5]]),
        ("a < b < c", ["<", "a", "b", "c"]),
        ("a or b or True", ["or", ["or", "a", "b"], True]),
        ("x[0, i].shape", [".", ["[]", "x", 0, "i"], "shape"]),
        ("f(x, mode='floor')", ["f", "x", ["'", "floor"]]),
        ("torch.nn.functional.relu(x)", ["relu", "x"]),
        ("(+x).sum([0, 1])", ["sum", "x", ["()", 0, 1]]),
    ],
)
def test_text_becomes_a_tree(text: str, tree: Tree) -> None:
    assert read(text) == tree


BEYOND = ["x[1:]", "a < b > c", "[p for p in q]", "lambda: 0", "f(*x)", "1j", "9007199254740993", "1e999", "g *", "x\0"]


@pytest.mark.parametrize("text", BEYOND)
def test_what_trees_do_not_have_has_none(text: str) -> None:
    assert read(text) is None


def test_only_formulas_are_spelled_out() -> None:
    assert read("expand(g)") == ["expand", "g"]
    assert read_formula("expand(g)") == ["*", "g", ["said", *SAID["ones"]]]
    assert read_formula("x * 0.6931471805599453") == ["*", "x", ["said", *CONSTANTS[math.log(2)], math.log(2)]]


def test_every_meaning_is_that_of_a_function_in_formulas() -> None:
    assert MEANINGS.keys() <= CALLED
    for signature, meaning in MEANINGS.values():
        body = ast.parse(meaning, mode="eval")
        names = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
        called = {
            node.func.id for node in ast.walk(body) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert names - called - {*signature.split()} - SAID.keys() <= {"n"}


def test_what_is_said_is_said_of_something() -> None:
    said = {name for name in SAID for _, meaning in MEANINGS.values() if name in meaning}
    assert said == SAID.keys()


X, Y = torch.tensor([-2.0, -0.5, 0.5, 3.0]), torch.tensor([0.1, 0.4, 0.6, 0.9])
G = torch.tensor([1.0, -2.0, 0.5, 3.0])
COMPUTED: dict[str, tuple[Any, ...]] = {
    "sigmoid_backward": (G, Y),
    "tanh_backward": (G, Y),
    "threshold_backward": (G, X, 0.25),
    "leaky_relu_backward": (G, X, 0.1, False),
    "hardtanh_backward": (G, X, -1.0, 1.0),
    "mse_loss_backward": (G, X, Y, 2),
    "huber_loss_backward": (G, X, Y, 2, 1.0),
    "smooth_l1_loss_backward": (G, X, Y, 2, 1.0),
    "binary_cross_entropy_backward": (G, Y, Y.flip(0), None, 2),
    "rsqrt": (Y,),
}


NAMES = {"abs": abs, "holds": float, "sign": np.sign, "sqrt": math.sqrt}


@pytest.mark.parametrize("name", COMPUTED)
def test_a_meaning_computes_what_the_engine_computes(name: str) -> None:
    signature, meaning = MEANINGS[name]
    arguments = COMPUTED[name]
    for place, expected in enumerate(getattr(ops, name)(*arguments).tolist()):
        element = [value[place].item() if isinstance(value, torch.Tensor) else value for value in arguments]
        assert eval(meaning, NAMES | dict(zip(signature.split(), element, strict=False))) == pytest.approx(expected)


def test_documents_have_each_tree_once() -> None:
    loop = "for _ in range(3):\n    (x * 2).sigmoid().sum().backward()\n"
    document = engine.run(code="import torch\nx = torch.ones(3, requires_grad=True)\n" + loop).document
    texts = {formula["text"] for node in document["nodes"] for formula in node["formula"].values()}
    assert document["formulas"] == {text: read_formula(text) for text in texts}
    product = ["*", "x", 2]
    assert document["expressions"] == {
        "x * 2": product,
        "(x * 2).sigmoid()": ["sigmoid", product],
        "(x * 2).sigmoid().sum()": ["sum", ["sigmoid", product]],
    }
    assert trees(document) == {field: document[field] for field in ("formulas", "expressions", "derivatives")}
    json.dumps(document, allow_nan=False)


@pytest.mark.parametrize("text", ["x if 1else y", "f('\\d')", 'f("a")', "0x1f * x", "1_000 * x"])
def test_what_python_may_warn_of_is_not_parsed_again(text: str) -> None:
    tensors = [{"id": "t0", "name": None}]
    op = {"line": 1, "end_line": 1, "column": 0, "end_column": len(text), "outputs": ["t0"]}
    document = {"source": {"code": text}, "nodes": [], "tensors": tensors, "ops": [op]}
    assert trees(document) == {}


def test_expressions_are_so_many_and_so_long() -> None:
    lines = [f"(x * {i}).sum()" for i in range(500)]
    code = "import torch\nx = torch.ones(2)\n" + "\n".join(lines) + "\n(x" + " + x" * 20 + ").sum()\n"
    found = engine.run(code=code).document["expressions"]
    assert len(found) == 400 and max(map(len, found)) <= 40


def test_the_page_is_tested_with_trees_of_the_engine() -> None:
    recorded = json.loads(FIXTURE.read_text("utf-8"))
    assert recorded["formulas"] == {text: read_formula(text) for text in recorded["formulas"]}
    assert recorded["expressions"] == {text: read(text) for text in recorded["expressions"]}
