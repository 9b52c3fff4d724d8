"""Reductions, extremes, norms and statistics: gradients of every row, ties, shapes, dtypes and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.core.tensor import Tensor
from tests.engine.gradients import POSITIVE, A, B, Case, M, N, array, check_gradients, check_row, rows_of

REDUCTION: dict[str, Case] = {
    "sum": (torch.sum, M),
    "sum_dim": (lambda x: x.sum((0, -1), keepdim=True), M),
    "mean": (torch.mean, M),
    "mean_dim": (lambda x: x.mean(1), M),
    "nansum": (torch.nansum, M),
    "prod": (torch.prod, M),
    "prod_dim_int": (lambda x: x.prod(1), M),
    "cumsum": (lambda x: x.cumsum(1), M),
    "cumprod": (lambda x: x.cumprod(1), M),
    "logcumsumexp": (lambda x: x.logcumsumexp(1), M),
    "logsumexp": (lambda x: x.logsumexp((0, 1)), M),
    "var": (lambda x: x.var(1), M),
    "std": (lambda x: x.std(), M),
    "var_mean": (lambda x: torch.var_mean(x, 1), M),
    "std_mean": (lambda x: torch.std_mean(x, 0, keepdim=True), M),
}
EXTREMES: dict[str, Case] = {
    "max": (torch.max, M),
    "min": (torch.min, M),
    "max_dim": (lambda x: x.max(1), M),
    "min_dim": (lambda x: x.min(0, keepdim=True), M),
    "amax": (lambda x: x.amax(1), M),
    "amin": (torch.amin, M),
    "aminmax": (lambda x: torch.aminmax(x, dim=1), M),
    "cummax": (lambda x: x.cummax(1), M),
    "cummin": (lambda x: x.cummin(1), M),
    "median": (torch.median, M),
    "median_dim": (lambda x: x.median(1), M),
    "nanmedian": (torch.nanmedian, M),
    "nanmedian_dim": (lambda x: x.nanmedian(1), M),
    "mode": (lambda x: torch.mode(x, 1), M),
    "kthvalue": (lambda x: torch.kthvalue(x, 2, 1), M),
}
DISTANCE: dict[str, Case] = {
    "linalg_vector_norm": (torch.linalg.vector_norm, M),
    "norm_Scalar": (lambda x: ops.norm_Scalar(x, 2), M),
    "norm_ScalarOpt_dim": (lambda x: ops.norm_ScalarOpt_dim(x, 2, (1,), True), M),
    "dist": (torch.dist, A, B),
    "renorm": (lambda x: torch.renorm(x, 2, 0, 1.2), M),
}


@pytest.mark.parametrize("identifier", REDUCTION | EXTREMES | DISTANCE)
def test_gradients(identifier: str) -> None:
    check_row(identifier, (REDUCTION | EXTREMES | DISTANCE)[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("reduction") == set(REDUCTION)
    assert rows_of("extremes") == set(EXTREMES)
    assert rows_of("distance") == set(DISTANCE)


@pytest.mark.parametrize("order", [-2, -1, 0.5, 1, 1.5, 2, 3, math.inf, -math.inf])
def test_norms_of_every_order(order: float) -> None:
    check_gradients(lambda x: torch.linalg.vector_norm(x, order), M)
    check_gradients(lambda x: torch.linalg.vector_norm(x, order, 1, keepdim=True), M)


@pytest.mark.parametrize("zeros", [0, 1, 2])
def test_products_with_zeros(zeros: int) -> None:
    x = array(0.3, -0.7, 0.9, 1.5)
    x[:zeros] = 0
    check_gradients(torch.prod, x, order=1 if zeros > 1 else 2)
    check_gradients(lambda t: torch.prod(t, 0), x)
    check_gradients(lambda t: torch.cumprod(t, 0), x)


@pytest.mark.parametrize(
    "f",
    [
        torch.diff,
        torch.trapezoid,
        torch.cumulative_trapezoid,
        torch.cov,
        torch.corrcoef,
        lambda x: torch.gradient(x, spacing=2.0)[1],
        lambda x: torch.gradient(x, dim=1, edge_order=2)[0],
        lambda x: torch.quantile(x, 0.3),
        lambda x: torch.quantile(x, 0.6, dim=1),
        lambda x: torch.nanquantile(x, 0.6, dim=0),
        lambda x: torch.nanmean(x, 1),
        lambda x: torch.linalg.matrix_norm(x, 1),
        lambda x: x.norm(3),
        lambda x: torch.diff(x, n=2, prepend=x[:, :1]),
    ],
)
def test_composites_have_gradients(f: Any) -> None:
    check_gradients(f, np.hstack([M, N]))


def test_sums_of_products_have_gradients() -> None:
    check_gradients(torch.trapezoid, M, array(0.1, 0.5, 1.7))


def spread_of(f: Any, values: list[float]) -> list[float]:
    x = torch.tensor(values, requires_grad=True)
    f(x).backward()
    return [round(g, 4) for g in x.grad.tolist()]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (torch.max, [1 / 3] * 3),
        (torch.min, [1 / 3] * 3),
        (torch.amax, [1 / 3] * 3),
        (torch.median, [1 / 3] * 3),
        (lambda x: x.max(0).values, [1, 0, 0]),
        (lambda x: x.min(0).values, [1, 0, 0]),
        (torch.prod, [1, 1, 1]),
        (lambda x: x.cummax(0).values.sum(), [1, 1, 1]),
        (lambda x: x.norm(), [0.5774] * 3),
    ],
)
def test_ties(f: Any, expected: list[float]) -> None:
    assert spread_of(f, [1.0, 1.0, 1.0]) == [round(e, 4) for e in expected]


def test_norm_has_slope_zero_at_the_origin() -> None:
    assert spread_of(lambda x: x.norm(), [0.0, 0.0]) == [0, 0]


def test_the_deviation_of_one_element_is_nan_with_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"std\(\): degrees of freedom is <= 0"):
        assert math.isnan(torch.tensor([1.0]).std().item())


def test_named_results() -> None:
    found = torch.tensor([[1.0, 5.0], [7.0, 2.0]]).max(1)
    assert found.values.tolist() == [5, 7] and found.indices.tolist() == [1, 0]
    assert repr(found) == "torch.return_types.max(\nvalues=tensor([5., 7.]),\nindices=tensor([1, 0]))"
    values, indices = found
    assert values is found.values and indices.dtype is torch.int64


def test_nan_wins_extremes() -> None:
    x = torch.tensor([1.0, math.nan, 3.0])
    assert math.isnan(x.max().item()) and x.max(0).indices.item() == 1 and math.isnan(x.median().item())
    assert x.nanmedian().item() == 1 and x.nansum().item() == 4 and x.nanmean().item() == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x.sum()", ()),
        ("x.sum(0)", (3, 4)),
        ("x.sum(-1, keepdim=True)", (2, 3, 1)),
        ("x.sum((0, 2))", (3,)),
        ("x.sum(dim=())", ()),
        ("x.mean((0, 1), keepdim=True)", (1, 1, 4)),
        ("x.var(1)", (2, 4)),
        ("x.std()", ()),
        ("x.max(2)[0]", (2, 3)),
        ("x.amax((0, 1))", (4,)),
        ("x.sum(axis=1)", (2, 4)),
        ("x.logsumexp(1)", (2, 4)),
        ("x.mean(axis=1, keepdims=True)", (2, 1, 4)),
        ("s.sum(0)", ()),
        ("s.mean(-1)", ()),
        ("s.max(0)[0]", ()),
        ("s.cumsum(0)", ()),
        ("s.var()", ()),
        ("x.prod(0, keepdim=True)", (1, 3, 4)),
        ("x.norm(dim=(0, 1))", (4,)),
        ("torch.quantile(x, 0.5, dim=1)", (2, 4)),
        ("torch.quantile(x, torch.tensor([0.1, 0.2]), dim=1)", (2, 2, 4)),
    ],
)
@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
def test_shapes(text: str, expected: tuple[int, ...]) -> None:
    result = eval(text, {"torch": torch, "x": torch.ones(2, 3, 4), "s": torch.tensor(2.0)})
    assert tuple(result.shape) == expected
    assert isinstance(result._array, np.ndarray) == bool(expected)


def test_dtypes() -> None:
    i = torch.tensor([1, 2])
    assert i.sum().dtype is torch.int64 and (i > 1).sum().item() == 1 and i.prod().dtype is torch.int64
    assert torch.tensor([1, 2], dtype=torch.int8).cumsum(0).dtype is torch.int64
    assert i.sum(dtype=torch.float32).dtype is torch.float32
    assert i.mean(dtype=torch.float64).item() == 1.5
    assert torch.tensor([1.0], dtype=torch.float16).sum().dtype is torch.float16


def test_empty_tensors() -> None:
    empty = torch.tensor([])
    assert empty.sum().item() == 0 and empty.prod().item() == 1 and math.isnan(empty.mean().item())
    assert torch.zeros(0, 3).sum(0).tolist() == [0, 0, 0]
    assert tuple(torch.zeros(0, 3).max(1).values.shape) == (0,)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (
            "i.mean()",
            RuntimeError,
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            "Got: Long",
        ),
        (
            "x.mean(dtype=torch.int32)",
            RuntimeError,
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            "Got: Int",
        ),
        ("x.sum(1)", IndexError, "Dimension out of range (expected to be in range of [-1, 0], but got 1)"),
        ("x.sum((0, 0))", RuntimeError, "dim 0 appears multiple times in the list of dims"),
        ("x.sum(0, 1)", TypeError, "sum(): argument 'keepdim' (position 2) must be bool, not int"),
        (
            "torch.tensor([]).max()",
            RuntimeError,
            "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
            "'dim' argument.",
        ),
        ("torch.zeros(0, 3).max(0)", IndexError, "max(): Expected reduction dim 0 to have non-zero size."),
        ("torch.zeros(0, 3).aminmax(dim=0)", IndexError, "aminmax: Expected reduction dim 0 to have non-zero size."),
        ("i.std()", RuntimeError, "std and var only support floating point and complex dtypes"),
        (
            "i.norm()",
            RuntimeError,
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long",
        ),
        ("torch.kthvalue(x, 5)", RuntimeError, "kthvalue(): selected number k out of range for dimension 0"),
        (
            "torch.linalg.matrix_norm(x)",
            RuntimeError,
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.",
        ),
        ("torch.quantile(x, 1.5)", RuntimeError, "quantile() q must be in the range [0, 1] but got 1.5"),
    ],
)
def test_refusals(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        eval(text, {"torch": torch, "x": torch.tensor([1.0, 2.0]), "i": torch.tensor([1, 2])})
    assert str(caught.value) == message


def test_running_sums_accumulate_in_float64() -> None:
    values = np.random.default_rng(0).standard_normal(1000).astype(np.float32)
    x: Tensor = torch.tensor(values.tolist())
    np.testing.assert_array_equal(x.cumsum(0)._array, np.cumsum(values, dtype=np.float64).astype(np.float32))
    assert POSITIVE.size == 3
