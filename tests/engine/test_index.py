"""Indexing, gathering, scattering, masks and sorting: answers as recorded from PyTorch, gradients of every row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine import settings
from engine.core.registry import ops
from tests.engine.gradients import SCALAR, A, B, Case, M, N, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements


def index(*values: Any) -> Any:
    return torch.tensor(list(values))


MASK = torch.tensor([[True, False, True], [False, True, True]])
ROWS: dict[str, Case] = {
    "index": (lambda x: x[[0, 1, 1], [2, 0, 0]], M),
    "index_put": (lambda x, y: x.index_put((index(1, 0),), y), M, N),
    "_index_put_impl": (lambda x, y: ops._index_put_impl(x, [index(1, 1)], y, (1,), True), M, N[:, :2]),
    "gather": (lambda x: x.gather(1, index([0, 0], [2, 1])), M),
    "scatter_src": (lambda x, y: x.scatter(1, index([0, 2, 1], [2, 1, 0]), y), M, N),
    "scatter_value": (lambda x: x.scatter(1, index([0], [2]), 3.5), M),
    "scatter_add": (lambda x, y: x.scatter_add(1, index([0, 0, 1], [2, 2, 2]), y), M, N),
    "index_select": (lambda x: x.index_select(1, index(2, 2, 0)), M),
    "index_add": (lambda x, y: x.index_add(1, index(2, 2, 0), y, alpha=2), M, N),
    "index_copy": (lambda x, y: x.index_copy(1, index(2, 1, 0), y), M, N),
    "index_fill_int_Scalar": (lambda x: x.index_fill(1, index(2), 1.5), M),
    "index_fill_int_Tensor": (lambda x, y: x.index_fill(1, index(2, 0), y), M, SCALAR),
    "take": (lambda x: x.take(index(0, 5, 5)), M),
    "put": (lambda x, y: x.put(index(0, 5, -3), y), M, A),
    "masked_fill_Scalar": (lambda x: x.masked_fill(MASK, 2.0), M),
    "masked_fill_Tensor": (lambda x, y: x.masked_fill(MASK, y), M, SCALAR),
    "masked_select": (lambda x: x.masked_select(MASK), M),
    "masked_scatter": (lambda x, y: x.masked_scatter(MASK, y), M, N),
    "masked_scatter_backward": (lambda x: ops.masked_scatter_backward(x, MASK, (2, 3)), M),
    "sort": (lambda x: x.sort(1, True)[0], M),
    "sort_stable": (lambda x: torch.sort(x, stable=True, dim=0)[0], M),
    "topk": (lambda x: x.topk(2)[0], M),
    "scatter_reduce": (lambda x, y: x.scatter_reduce(1, index([0, 0, 1], [2, 2, 2]), y, "prod"), M, N),
    "index_reduce": (lambda x, y: x.index_reduce(1, index(2, 0, 2), y, "mean"), M, N),
    "select_scatter": (lambda x, y: x.select_scatter(y, 1, -1), M, A[:2]),
    "slice_scatter": (lambda x, y: x.slice_scatter(y, 1, 1), M, N[:, :2]),
    "diagonal_scatter": (lambda x, y: x.diagonal_scatter(y, 1), M, A[:2]),
    "fill_Scalar": (lambda x: torch.fill(x * 1, 2.0) + x, M),
    "fill_Tensor": (lambda x, y: torch.fill(x, y), M, SCALAR),
}
WITHOUT_CHECK = {
    "fill_Scalar", "zero", "copy", "normal_", "uniform_", "exponential_", "geometric_", "cauchy_", "log_normal_",
    "bernoulli__float", "bernoulli__Tensor", "bernoulli", "bernoulli_p", "random_", "random__to", "random__from",
    "normal_Tensor_float", "normal_float_Tensor", "normal_Tensor_Tensor", "as_strided_scatter",
}  # fmt: skip
"""Rows that only write (`test_writes_as_recorded` has them), and one whose gradient in PyTorch is not the true one."""


@pytest.mark.parametrize("identifier", sorted(set(ROWS) - WITHOUT_CHECK))
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    groups = [rows_of(name) for name in ("index", "masks", "order", "scatters", "fill")]
    assert set().union(*groups) == set(ROWS) | WITHOUT_CHECK


@pytest.mark.parametrize(("statement", "expected"), statements("index"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


@pytest.mark.parametrize(("statement", "expected"), statements("writes"))
def test_writes_as_recorded(statement: str, expected: str) -> None:
    settings.fresh()
    assert answer(torch, statement) == expected


@pytest.mark.parametrize("reduce", ["sum", "prod", "mean", "amax", "amin"])
@pytest.mark.parametrize("include_self", [True, False])
def test_scatter_reduce(reduce: str, include_self: bool) -> None:
    places = index([0, 0, 1], [2, 2, 2])
    check_gradients(lambda x, y: x.scatter_reduce(1, places, y, reduce, include_self=include_self), M, N)


@pytest.mark.parametrize("reduce", ["prod", "mean", "amax", "amin"])
@pytest.mark.parametrize("include_self", [True, False])
def test_index_reduce(reduce: str, include_self: bool) -> None:
    check_gradients(lambda x, y: x.index_reduce(1, index(2, 0, 2), y, reduce, include_self=include_self), M, N)


def test_gradients_of_factors_that_are_zero() -> None:
    with_zero = N.copy()
    with_zero[0, 1] = 0
    check_gradients(lambda x, y: x.scatter_reduce(1, index([0, 0, 1], [2, 2, 2]), y, "prod"), M, with_zero, order=1)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x[0],
        lambda x: x[-1, 1:],
        lambda x: x[..., None, [0, 0]],
        lambda x: x[x > 0],
        lambda x: x[:, [0, 2]],
        lambda x: x[torch.tensor(1)],
        lambda x: x[True],
        lambda x: x[[[0], [1]], [0, 1, 1]],
        lambda x: x[None, 0, ..., 0],
        lambda x: torch.take_along_dim(x, index([2, 0]), 1),
        lambda x: x[MASK],
        lambda x: x[1:, MASK[0]],
    ],
)
def test_every_kind_of_index_has_gradients(f: Any) -> None:
    check_gradients(f, M)


def test_assignment_has_gradients() -> None:
    def assigned(x: Any, y: Any) -> Any:
        out = x * 1
        out[0] = y * 2
        out[:, 1] = out[:, 0] * 3
        out[[1], [2]] = y[0]
        out[MASK] *= 2
        return out

    check_gradients(assigned, M, B)


def test_the_graph_is_freed_with_the_indices() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x[[0, 1]]
    y.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.sum().backward()


def test_equal_elements_come_first_come_first() -> None:
    values, places = torch.sort(torch.tensor([2.0, 1.0, 2.0, 1.0]), descending=True)
    assert values.tolist() == [2, 2, 1, 1] and places.tolist() == [0, 2, 1, 3]
    assert torch.topk(torch.tensor([3, 1, 1, 2, 3]), 3)[1].tolist() == [4, 0, 3]


def test_bounds_are_checked_before_numpy_sees_them() -> None:
    with pytest.raises(RuntimeError, match="index -1 is out of bounds for dimension 0 with size 3"):
        torch.gather(torch.ones(3), 0, index(-1))
    assert np.isfinite(A).all()
