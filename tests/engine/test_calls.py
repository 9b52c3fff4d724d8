"""Ops are called in one way: `ops.x(...)`, and in place `ops.x_(...)`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import engine
import engine.torch as torch
from engine.core.registry import OPS, ops

ROOT = Path(engine.__path__[0])
NAMESPACES = ("GRAPH", "NUMPY")
"""What names mean in the texts of rows: who declares enters there, and `engine/codegen` reads."""
READERS = (ROOT / "codegen", ROOT / "core")
"""Core lies below the rules whose names it reads."""


def other_calls(tree: ast.Module, reads: bool) -> list[str]:
    """Where an op is taken from a table; `reads`: the namespaces of texts may be read."""
    found: list[str] = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ast.Subscript(ast.Name("OPS")), "call" | "kernel"):
                found.append(ast.unparse(node))
            case ast.Subscript(ast.Name(name), ctx=ast.Load()) if name in NAMESPACES and not reads:
                found.append(ast.unparse(node))
    return found


def test_ops_are_called_in_one_way() -> None:
    found = {
        str(file.relative_to(ROOT)): other_calls(ast.parse(file.read_text("utf-8")), file.parent in READERS)
        for file in sorted(ROOT.rglob("*.py"))
    }
    assert len(found) > 300 and not {file: calls for file, calls in found.items() if calls}


def test_other_ways_are_found() -> None:
    source = "OPS['exp'].call(x); t = GRAPH['t']; NUMPY['t'](a); GRAPH['u'] = u; OPS['exp'].says; ops.exp(x)"
    assert sorted(other_calls(ast.parse(source), reads=False)) == ["GRAPH['t']", "NUMPY['t']", "OPS['exp'].call"]
    assert other_calls(ast.parse(source), reads=True) == ["OPS['exp'].call"]


def test_every_op_is_there() -> None:
    in_place = {name for name, row in OPS.items() if row.inplace and row.name.endswith("_")}
    assert in_place >= {"elu_", "normal_", "bernoulli__float"}
    assert all(getattr(ops, name) is row.call for name, row in OPS.items() if name not in in_place)
    with pytest.raises(AttributeError):
        ops.no_such_op  # noqa: B018


@pytest.mark.parametrize(
    ("name", "arguments", "node"),
    [("mul", (3.0,), "MulBackward0"), ("fill_Scalar", (3.0,), "FillBackward2"), ("elu", (), "EluBackward1")],
)
def test_in_place(name: str, arguments: tuple[float, ...], node: str) -> None:
    leaf = torch.tensor([1.0, -2.0], requires_grad=True)
    x = leaf.clone()
    expected = getattr(ops, name)(x, *arguments).tolist()
    assert getattr(ops, name + "_")(x, *arguments) is x
    assert x.tolist() == expected and x.grad_fn.name() == node and x._version == 1


@pytest.mark.parametrize("name", ["view_", "max_dim_", "split_", "elu__"])
def test_what_has_no_form_in_place(name: str) -> None:
    assert not hasattr(ops, name)
