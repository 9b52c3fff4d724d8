"""PyTorch's own formulas of gradients (`engine/syntax/derivatives.txt`) beside the engine's."""

from __future__ import annotations

import pytest

import engine
from engine.core.registry import OPS
from engine.syntax.derivatives import TABLE, derivatives

NOT_IMPLEMENTED = "NotImplemented"
"""The name of nodes that refuse to compute what PyTorch has no derivative of."""

EXCUSED = {
    "Unique2Backward0": "PyTorch has no derivative of it",
    "UniqueDimBackward0": "PyTorch has no derivative of it",
    "UniqueConsecutiveBackward0": "PyTorch has no derivative of it",
    "EmbeddingBagBackwardBackward0": "PyTorch has no second derivative of it",
    "CdistBackwardBackward0": "PyTorch has no second derivative of it",
    "PdistBackwardBackward0": "PyTorch has no second derivative of it",
    "GeqrfBackward0": "PyTorch has no derivative of it",
    "torch::autograd::Identity": "written by hand in C++, not in derivatives.yaml",
    "torch::autograd::CopyBackwards": "written by hand in C++, not in derivatives.yaml",
    "SpecialZetaBackward2": "PyTorch has no derivative of it",
}
"""Nodes without a formula of PyTorch's, and why."""

EXCUSED_INPUTS = {
    ("IgammaBackward0", "self"): "PyTorch has no derivative by it",
    ("IgammacBackward0", "self"): "PyTorch has no derivative by it",
    ("SpecialZetaBackward0", "self"): "PyTorch has no derivative by it",
    ("NativeBatchNormBackwardBackward0", "save_mean"): "PyTorch has no derivative by it",
    ("NativeBatchNormBackwardBackward0", "save_invstd"): "PyTorch has no derivative by it",
    ("NativeLayerNormBackwardBackward0", "mean"): "PyTorch has no derivative by it",
    ("NativeLayerNormBackwardBackward0", "rstd"): "PyTorch has no derivative by it",
    ("UnfoldBackwardBackward0", "grad_output"): "called grad_in there",
    ("WeightNormInterfaceBackward0", "g_"): "called g there, which is the gradient here",
    ("IndexBackward0", "grad"): "a sparse tensor's own way, of which the node is another op's",
    ("ToDenseBackward0", "grad"): "a sparse tensor's own way, of which the node is another op's",
    ("ValuesBackward0", "grad"): "a sparse tensor's own way, of which the node is another op's",
    ("MmBackward0", "grad"): "a sparse tensor's own way, of which the node is another op's",
    ("MmBackward0", "mat1"): "a sparse tensor's own way, of which the node is another op's",
    ("SparseSparseMatmulBackward0", "first"): "a sparse tensor's own way, of which the node is another op's",
    ("SparseSparseMatmulBackward0", "second"): "a sparse tensor's own way, of which the node is another op's",
    (
        "SparseCooTensorWithDimsAndTensorsBackward0",
        "grad",
    ): "a sparse tensor's own way, of which the node is another op's",
}
"""Inputs of nodes, the same."""


def lacking() -> list[tuple[str, str]]:
    return [
        (row.node_name, name)
        for row in OPS.values()
        if row.node_name and row.node_name != NOT_IMPLEMENTED
        for name in row.formulas
        if name not in TABLE.get(row.node_name, {})
    ]


def test_every_gradient_has_pytorchs_own_formula_or_an_excuse() -> None:
    unexcused = [pair for pair in lacking() if pair[0] not in EXCUSED and pair not in EXCUSED_INPUTS]
    assert unexcused == []


def test_no_excuse_is_idle() -> None:
    found = lacking()
    assert {node for node, _ in found if node not in TABLE} == set(EXCUSED)
    assert {pair for pair in found if pair[0] in TABLE} == set(EXCUSED_INPUTS)


def test_the_table_holds_nothing_of_other_nodes() -> None:
    assert set(TABLE) <= {row.node_name for row in OPS.values()}
    assert len(TABLE) > 400


@pytest.mark.parametrize(
    ("node", "name", "formula"),
    [("SinBackward0", "self", "grad * self.cos().conj()"), ("ExpBackward0", "self", "grad * result.conj()")],
)
def test_a_formula_is_the_one_of_derivatives_yaml(node: str, name: str, formula: str) -> None:
    assert derivatives([node, node, "NoSuchNode"])[node][name] == formula
    assert list(derivatives([node, node, "NoSuchNode"])) == [node]


def test_a_document_has_those_of_its_own_nodes() -> None:
    code = "import torch\nx = torch.ones(2, requires_grad=True)\n(x.sin() * x.sin()).sum().backward()\n"
    document = engine.run(code=code).document
    assert set(document["derivatives"]) == {"SinBackward0", "MulBackward0", "SumBackward0"}
    assert document["derivatives"]["SinBackward0"] == {"self": "grad * self.cos().conj()"}


def test_a_document_without_a_graph_has_none() -> None:
    assert "derivatives" not in engine.run(code="print(1)").document
