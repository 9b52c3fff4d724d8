"""Products of matrices and distances: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.limits import Limits, metered
from tests.engine.gradients import SCALAR, A, B, Case, M, N, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements

S = np.array([[0.3, -0.7, 0.9], [1.5, 0.2, -0.4], [-0.6, 1.1, 0.8]])
STACK = np.linspace(-1, 1, 12).reshape(2, 2, 3) ** 3
OTHER = np.linspace(1, -0.8, 12).reshape(2, 3, 2) ** 3
PAIR = np.array([0.8, -0.3])

LINALG: dict[str, Case] = {
    "mm": (lambda x, y: x @ y, M, S),
    "mv": (lambda x, y: x @ y, M, A),
    "dot": (lambda x, y: x @ y, A, B),
    "vdot": (torch.vdot, A, B),
    "bmm": (torch.bmm, STACK, OTHER),
    "addmm": (lambda b, x, y: torch.addmm(b, x, y, beta=0.7, alpha=1.3), A, M, S),
    "baddbmm": (lambda b, x, y: torch.baddbmm(b, x, y, beta=0.7, alpha=1.3), PAIR, STACK, OTHER),
    "addbmm": (lambda b, x, y: torch.addbmm(b, x, y, beta=0.7, alpha=1.3), PAIR, STACK, OTHER),
    "addmv": (lambda b, x, y: torch.addmv(b, x, y, beta=0.7, alpha=1.3), PAIR, M, A),
    "addr": (lambda b, x, y: torch.addr(b, x, y, beta=0.7, alpha=1.3), M, PAIR, A),
    "trace": (torch.trace, S),
    "linalg_cross": (torch.linalg.cross, M, N),
    "_trilinear": (
        lambda x, w, y: ops._trilinear(x, w, y, [1, 3], [0], [1, 2], [2, 3]),
        M,
        OTHER,
        PAIR[None] * M[:, :1],
    ),
}
PAIRWISE: dict[str, Case] = {
    "_cdist_forward": (lambda x, y: ops._cdist_forward(x, y, 2.0), M, -S),
    "_euclidean_dist": (lambda x, y: ops._euclidean_dist(x, y), M, -S),
    "_pdist_forward": (lambda x: ops._pdist_forward(x, 2.0), S),
}
WITHOUT_A_SECOND = {"_cdist_forward", "_pdist_forward"}
ONLY_AS_GRADIENTS = {"_cdist_backward", "_pdist_backward"}


@pytest.mark.parametrize("identifier", [*LINALG, *PAIRWISE])
def test_gradients(identifier: str) -> None:
    case = LINALG.get(identifier) or PAIRWISE[identifier]
    check_row(identifier, case, order=1 if identifier in WITHOUT_A_SECOND else 2)


def test_every_row_is_checked() -> None:
    assert rows_of("linalg") == set(LINALG)
    assert rows_of("pairwise") == set(PAIRWISE) | ONLY_AS_GRADIENTS


@pytest.mark.parametrize("p", [0.5, 1.0, 2.0, 3.0, float("inf")])
def test_distances_of_every_norm(p: float) -> None:
    check_gradients(lambda x, y: torch.cdist(x, y, p, compute_mode="donot_use_mm_for_euclid_dist"), M, -S, order=1)


TERMS = {"ij": M, "jk": S, "kj": S, "i": A, "j": B, "ii": S, "bij": STACK, "bjk": OTHER, "...ij": STACK, "...jk": OTHER}


@pytest.mark.parametrize(
    "equation",
    ["ij,jk->ik", "ij,kj", "i,j->ij", "ii->i", "ii", "ij->ji", "bij,bjk->bik", "...ij,...jk->...ik", "ij,ij->"],
)
def test_einsum(equation: str) -> None:
    terms = equation.split("->")[0].split(",")
    check_gradients(lambda *x: torch.einsum(equation, *x), *[TERMS[term] for term in terms])


@pytest.mark.parametrize(
    ("left", "right"),
    [(A, B), (M, A), (PAIR, M), (M, S), (STACK, A), (A, OTHER), (STACK, S), (S, OTHER), (STACK, OTHER)],
)
def test_matmul_of_every_rank(left: np.ndarray, right: np.ndarray) -> None:
    (out,) = check_gradients(torch.matmul, left, right)
    np.testing.assert_allclose(out._array, left @ right, rtol=1e-12)


def test_factors_of_one_half_and_one() -> None:
    check_gradients(lambda b, x, y, s: torch.addmm(b, x, y) * s, SCALAR * A, M, S, SCALAR)


@pytest.mark.parametrize(("statement", "expected"), statements("linalg"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected


def test_a_product_costs_fuel_by_its_multiplications() -> None:
    used = []
    for size in (150, 300, 600):
        x = torch.ones(size, size)
        with metered(Limits()) as meter:
            x @ x
            used.append(meter.fuel_used)
    assert used[0] > 25 and used[1] > 200
    assert used[2] - used[1] > 6 * (used[1] - used[0])


def test_gradients_of_products_cost_as_much_as_the_products() -> None:
    x, w = torch.ones(300, 300, requires_grad=True), torch.ones(300, 300, requires_grad=True)
    with metered(Limits()) as meter:
        y = (x @ w).sum()
        forward = meter.fuel_used
        y.backward()
        assert meter.fuel_used - forward > 1.5 * forward
