"""Gradients checked against differences: `check_gradients(f, *inputs)`, of first and second order, in float64."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np

import engine.torch as torch
from engine.codegen.op import Op
from engine.core.registry import OPS
from engine.core.tensor import Tensor

STEP = 1e-6
TOLERANCE = 2e-7
SECOND_TOLERANCE = 2e-6

Function = Callable[..., Any]
Case = tuple[Any, ...]
"""(function, inputs …): numpy arrays of float64 get a gradient; tensors are passed as they are."""


def array(*values: Any) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=np.float64)


A = array(0.3, -0.7, 0.9)
B = array(0.5, 0.6, -0.4)
POSITIVE = array(0.4, 1.3, 2.2)
UNIT = array(0.2, 0.5, 0.8)
M = np.array([[0.3, -0.7, 0.9], [1.5, 0.2, -0.4]])
N = np.array([[-0.6, 1.1, 0.8], [0.45, -1.2, 0.7]])
SCALAR = np.float64(0.65)


def tensor(value: Any, requires_grad: bool = False) -> Tensor:
    return Tensor._from_array(np.asarray(value)[()], requires_grad)


def lift(inputs: Sequence[Any], requires_grad: bool) -> tuple[list[Any], list[Tensor]]:
    """Arguments with arrays turned into tensors, and those tensors."""
    arguments: list[Any] = []
    leaves: list[Tensor] = []
    for value in inputs:
        if isinstance(value, np.ndarray | np.float64) and value.dtype == np.float64:
            leaves.append(tensor(np.array(value), requires_grad))
            value = leaves[-1]
        arguments.append(value)
    return arguments, leaves


def outputs_of(result: Any) -> list[Tensor]:
    results = result if isinstance(result, tuple | list) else [result]
    return [t for t in results if t._array.dtype.kind == "f"]


def weights(shape: tuple[int, ...], salt: int) -> Any:
    """Fixed numbers, so that sums with them tell elements apart."""
    return np.cos(np.arange(int(np.prod(shape)), dtype=np.float64) * 1.7 + salt + 0.5).reshape(shape)[()]


def value(f: Function, inputs: Sequence[Any]) -> float:
    arguments, _ = lift(inputs, False)
    return float(sum(np.sum(t._array * weights(t._array.shape, i)) for i, t in enumerate(outputs_of(f(*arguments)))))


def gradient(
    f: Function, inputs: Sequence[Any], create_graph: bool = False
) -> tuple[list[Any], list[Tensor], list[Any]]:
    """Gradients of the weighted sum of outputs, the leaves, and the outputs."""
    arguments, leaves = lift(inputs, True)
    outputs = [t for t in outputs_of(f(*arguments)) if t.requires_grad]
    cotangents = [tensor(weights(t._array.shape, i)) for i, t in enumerate(outputs)]
    grads = torch.autograd.grad(outputs, leaves, cotangents, create_graph=create_graph, allow_unused=True)
    return list(grads), leaves, outputs


def slope(f: Function, inputs: Sequence[Any]) -> float:
    """The weighted sum of all gradients, which a second derivative differentiates."""
    grads, _, _ = gradient(f, inputs)
    return float(sum(np.sum(g._array * weights(g._array.shape, 7 + i)) for i, g in enumerate(grads) if g is not None))


def differences(measure: Callable[[Sequence[Any]], float], inputs: Sequence[Any]) -> list[Any]:
    """Central differences of `measure` in every float64 array among the inputs."""
    found = []
    for place, given in enumerate(inputs):
        if not (isinstance(given, np.ndarray | np.float64) and given.dtype == np.float64):
            continue
        base = np.array(given)
        out = np.zeros(base.shape)
        for index in np.ndindex(*base.shape):
            sides = []
            for step in (STEP, -STEP):
                moved = base.copy()
                moved[index] += step
                sides.append(measure([*inputs[:place], moved, *inputs[place + 1 :]]))
            out[index] = (sides[0] - sides[1]) / (2 * STEP)
        found.append(out)
    return found


def check_gradients(f: Function, *inputs: Any, order: int = 2) -> list[Tensor]:
    """Assert that the gradients of `f` (and the gradients of those) are what differences say; returns the outputs."""
    grads, _, outputs = gradient(f, inputs)
    for got, want in zip(grads, differences(lambda moved: value(f, moved), inputs), strict=True):
        np.testing.assert_allclose(0 if got is None else got._array, want, rtol=TOLERANCE, atol=TOLERANCE)
    if order == 2:
        firsts, leaves, _ = gradient(f, inputs, create_graph=True)
        live = [(i, g) for i, g in enumerate(firsts) if g is not None and g.requires_grad]
        cotangents = [tensor(weights(g._array.shape, 7 + i)) for i, g in live]
        seconds: Sequence[Any] = [None] * len(leaves)
        if live:
            seconds = torch.autograd.grad([g for _, g in live], leaves, cotangents, allow_unused=True)
        for got, want in zip(seconds, differences(lambda moved: slope(f, moved), inputs), strict=True):
            got = 0 if got is None else got._array
            np.testing.assert_allclose(got, want, rtol=SECOND_TOLERANCE, atol=SECOND_TOLERANCE)
    return outputs


def check_row(identifier: str, case: Case, order: int = 2) -> None:
    """As `check_gradients`, and the row's node made the result."""
    outputs = check_gradients(*case, order=order)
    row = OPS[identifier]
    names = {type(t.grad_fn).__name__ for t in outputs}
    assert names == {str(row.node_name).split("::")[-1]}, f"{identifier} made {names}"


@cache
def rows(module: str) -> tuple[Op, ...]:
    """The rows of a module of `engine.ops`, made once more as if they stood elsewhere, and not declared."""
    place = import_module(f"engine.ops.{module}")
    tree = ast.parse(Path(str(place.__file__)).read_text("utf-8"))
    tree.body = [statement for statement in tree.body if not _is_done_once(statement)]
    found: list[Op] = []

    def make(*args: Any, **options: Any) -> Function:
        found.append(Op(*args, **options))
        return OPS[found[-1].identifier].call

    scope = vars(place) | {"op": make, "pointwise": partial(make, pointwise=True), "publish": Mock()}
    scope["__name__"] = "elsewhere"
    exec(compile(tree, str(place.__file__), "exec"), scope)
    return tuple(found)


def _is_done_once(statement: ast.stmt) -> bool:
    """Whether a statement imports, or declares a rule or a kernel."""
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Subscript)
    return isinstance(statement, ast.Import | ast.ImportFrom) or bool(getattr(statement, "decorator_list", ()))


def rows_of(module: str) -> set[str]:
    """Identifiers of the rows with a gradient that a module of `engine.ops` declares."""
    return {row.identifier for row in rows(module) if row.formulas}
