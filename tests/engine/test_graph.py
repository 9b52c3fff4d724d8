"""JSON graphs: the calls they become, and what is said about those that cannot be run."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.graph import GraphError, program

X = {"x": {"data": [1.0, 2.0], "requires_grad": True}}
CALLS = {
    "sin": "torch.sin",
    "torch.sin": "torch.sin",
    "leaky_relu": "F.leaky_relu",
    "torch.nn.functional.dropout": "F.dropout",
    "F.dropout": "F.dropout",
    "dropout": "torch.dropout",
    "linalg_inv_ex": "torch.linalg.inv_ex",
    "linalg_norm": "torch.linalg.norm",
    "torch.linalg.norm": "torch.linalg.norm",
    "special_entr": "torch.special.entr",
    "fft_fft": "torch.fft.fft",
    "expand_as": "torch.Tensor.expand_as",
    "Tensor.sin": "torch.Tensor.sin",
    "mul_": "torch.Tensor.mul_",
    "add_": "torch.Tensor.add_",
    "relu_": "torch.relu_",
}


def called(op: str) -> str:
    graph = {"tensors": X, "ops": [{"op": op, "inputs": ["x"], "output": "y"}]}
    return program(graph).splitlines()[-1]


@pytest.mark.parametrize(("op", "call"), CALLS.items())
def test_an_op_is_called_where_programs_have_it(op: str, call: str) -> None:
    assert called(op) == f"y = {call}(x)"


def test_what_the_catalogue_lists_can_be_called() -> None:
    for row in engine.ops_catalogue():
        for place in row["available_as"]:
            assert called(place).startswith("y = ")
        if row["available_as"]:
            assert called(row["name"]).startswith("y = ")


def test_places_are_pytorchs() -> None:
    code = "import torch\nfrom torch import Tensor\n" + "\n".join(
        sorted({place for row in engine.ops_catalogue() for place in row["available_as"]})
    )
    assert engine.run(code=code).document["error"] is None


def test_an_equation_is_text() -> None:
    ops = [{"op": "einsum", "inputs": ["i,i->", "x", "x"], "output": "y"}]
    document = engine.run(graph={"tensors": X, "ops": ops, "backward": [{"tensor": "y"}]}).document
    assert document["error"] is None and document["values"][document["tensors"][0]["grad"]]["data"] == [2.0, 4.0]


def test_a_field_that_is_null_is_left_out() -> None:
    spec = {"op": "max", "inputs": ["x"], "arguments": {"dim": 0}}
    one, two = {**spec, "output": "m", "outputs": None}, {**spec, "output": None, "outputs": ["v", "i"]}
    assert program({"tensors": X, "ops": [one, two]}).splitlines()[-2:] == [
        "m = torch.max(x, dim=0)",
        "v, i = torch.max(x, dim=0)",
    ]


@pytest.mark.parametrize(
    ("graph", "pointer", "words"),
    [
        ({"tensors": {"float": {"data": 1}}}, "/tensors/float", "nor F, float, torch"),
        ({"tensors": {"a/b": {"data": 1}}}, "/tensors/a~1b", "letters"),
        ({"tensors": X, "ops": [{"op": "nope", "inputs": [], "output": "y"}]}, "/ops/0/op", "no op 'nope'"),
        ({"tensors": X, "ops": [{"op": "tanh_backward", "inputs": [], "output": "y"}]}, "/ops/0/op", "available_as"),
        ({"tensors": X, "ops": [{"op": "F.__doc__", "inputs": [], "output": "y"}]}, "/ops/0/op", "no op"),
        ({"tensors": X, "ops": [{"op": "Tensor.__class__", "inputs": [], "output": "y"}]}, "/ops/0/op", "no op"),
        ({"tensors": X, "ops": [{"op": "sin", "inputs": ["x"], "output": None}]}, "/ops/0", "either output"),
        ({"tensors": X, "backward": [{"tensor": "x", "gradient": "g"}]}, "/backward/0/gradient", "no tensor 'g'"),
    ],
)
def test_a_graph_that_cannot_be_run_is_pointed_at(graph: dict[str, Any], pointer: str, words: str) -> None:
    with pytest.raises(GraphError) as caught:
        program(graph)
    assert caught.value.pointer == pointer and words in caught.value.detail
