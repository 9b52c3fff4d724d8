"""An op is one row: what it says of itself holds in every file, and nothing else knows ops by their names."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import engine.ops
from engine.codegen.op import Op
from engine.codegen.traits import TRAITS, Traits
from engine.core.registry import OPS
from tests.engine.gradients import rows

MODULES = sorted(file.stem for file in Path(engine.ops.__path__[0]).glob("[!_]*.py"))
ENGINE = Path(engine.ops.__path__[0]).parent
CONSUMERS = [
    *(file for room in ("autograd", "batching", "codegen", "core") for file in sorted((ENGINE / room).glob("*.py"))),
    ENGINE / "costs.py",
]
"""What reads traits."""

OF_SOMETHING_ELSE = {
    "latex.py: _FUNCTIONS": "functions that LaTeX has a command for",
    "row.py: OPERATORS": "operators of Python",
}
"""Tables whose words happen to be names of ops."""

NAMES = OPS.keys() | {op.name for op in OPS.values()}


def traits(op: Op) -> dict[str, Any]:
    found = {name: getattr(op, name) for name in sorted(TRAITS)}
    return {name: getattr(value, "__qualname__", str(value)) for name, value in found.items()}


def fits(value: Any, kind: Any) -> bool:
    """Whether a trait is what its annotation says."""
    if get_origin(kind) is UnionType:
        return any(fits(value, part) for part in get_args(kind))
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    return callable(value) if get_origin(kind) is Callable else type(value) is (get_origin(kind) or kind)


@pytest.mark.parametrize(("trait", "kind"), get_type_hints(Traits).items())
def test_traits_have_values_that_mean_something(trait: str, kind: Any) -> None:
    assert [row.identifier for row in OPS.values() if not fits(getattr(row, trait), kind)] == []


def test_memory_formats_are_known() -> None:
    for row in OPS.values():
        for layout, *operands in map(str.split, filter(None, (row.memory_format, row.formula_format))):
            assert layout in ("contiguous", "preserve", "preserve_self", "channels_last")
            assert row.by_name.keys() >= set(operands)


def test_every_trait_is_one_of_some_row() -> None:
    rare = {name for name in TRAITS if all(getattr(row, name) == getattr(Traits, name) for row in OPS.values())}
    assert not rare


def sources(op: Op) -> list[str]:
    """The code of its call, and of its gradient of both orders."""
    found = [op._write_call(op.identifier, op._header(None, options=True), False, None)]
    if op.formulas and op.node_class is not None:
        found += [op._write_vjp(graph) for graph in (False, True)]
    return [source for source, _ in found]


@pytest.mark.parametrize("module", MODULES)
def test_a_row_means_the_same_in_every_file(module: str) -> None:
    for moved in rows(module):
        row = OPS[moved.identifier]
        assert traits(moved) == traits(row)
        assert sources(moved) == sources(row)


def test_every_row_was_moved() -> None:
    assert {row.identifier for module in MODULES for row in rows(module)} == OPS.keys() - {"set_"}


def test_what_is_neither_a_parameter_nor_a_trait_is_refused() -> None:
    with pytest.raises(AssertionError, match="cots"):
        Op("f(self)", None, "self", self="g", cots=20)


def strings(node: ast.AST) -> list[str]:
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)]


def known_by_name(tree: ast.Module) -> set[str]:
    """Tables of ops by name, and questions for the name of an op."""
    found: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            tables = [text.split() for text in strings(statement.value)]
            if sum(len(words) for words in tables if NAMES.issuperset(words)) > 1:
                found.add(ast.unparse(statement.targets[0] if isinstance(statement, ast.Assign) else statement.target))
    for node in ast.walk(tree):
        asked = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        asked = [node.func, *node.args] if isinstance(node, ast.Call) and _is_name(node.func) else asked
        if any(map(_is_name, asked)) and any(text in NAMES for part in asked for text in strings(part)):
            found.add(ast.unparse(node))
    return found


def _is_name(node: ast.AST) -> bool:
    """Whether an expression is `op.name`, `op.identifier`, or something of it."""
    return any(isinstance(n, ast.Attribute) and n.attr in ("name", "full_name", "identifier") for n in ast.walk(node))


@pytest.mark.parametrize("file", CONSUMERS, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_op_is_known_by_its_name(file: Path) -> None:
    found = {f"{file.name}: {name}" for name in known_by_name(ast.parse(file.read_text("utf-8")))}
    assert found <= OF_SOMETHING_ELSE.keys()


@pytest.mark.parametrize(
    "source",
    ['TABLE = frozenset("mul div".split())', 'TABLE = {"mul": 1, "sum_dim": 2}', 'def f(op): return op.name == "copy"',
     'def f(op): return op.identifier in ("mul", "x")', 'def f(op): return op.name.startswith("mul")'],
)  # fmt: skip
def test_a_table_of_ops_is_found(source: str) -> None:
    assert known_by_name(ast.parse(source))
