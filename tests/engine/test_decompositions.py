"""Linear algebra: gradients of every row, stacks and shapes, what singular matrices do, and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from tests.engine.gradients import Case, array, check_gradients, check_row, rows_of, tensor

linalg: Any = torch.linalg
SQUARE = np.array([[2.0, 0.4, -0.3], [0.5, -1.6, 0.8], [0.2, 0.7, 1.4]])
STACK = np.stack([SQUARE, SQUARE.T[::-1] * 0.9 + 0.1])
TALL, WIDE = SQUARE[:, :2].copy(), SQUARE[:2].copy()
POSITIVE = SQUARE @ SQUARE.T
LOWER, UPPER = np.tril(SQUARE), np.triu(SQUARE)
B = np.array([[0.3, -0.9], [1.1, 0.6], [-0.5, 0.2]])
V = array(0.4, -1.2, 0.7)
PIVOTS = tensor(np.array([2, 3, 3], np.int32))
REFLECTORS, TAU = np.array([[0.3, 0.1], [0.5, -0.2], [-0.4, 0.6]]), array(0.8, 1.1)


def symmetric(x: Any) -> Any:
    return (x + x.mT) / 2


def without_sign(vectors: Any) -> Any:
    """Products of vectors with themselves, which do not depend on their sign."""
    return vectors.unsqueeze(-2) * vectors.unsqueeze(-3)


ROWS: dict[str, Case] = {
    "linalg_lu_factor_ex": (lambda a: linalg.lu_factor(a)[0], SQUARE),
    "linalg_lu": (lambda a: linalg.lu(a)[1:], SQUARE),
    "lu_unpack": (lambda a: torch.lu_unpack(a, PIVOTS)[1:], SQUARE),
    "linalg_lu_solve": (lambda a, b: linalg.lu_solve(a, PIVOTS, b), SQUARE, B),
    "linalg_solve_triangular": (lambda a, b: linalg.solve_triangular(a, b, upper=True), UPPER, B),
    "triangular_solve": (lambda b, a: ops.triangular_solve(b, a), B, UPPER),
    "_linalg_solve_ex": (linalg.solve, SQUARE, B),
    "linalg_inv_ex": (linalg.inv, SQUARE),
    "_linalg_det": (linalg.det, SQUARE),
    "_linalg_slogdet": (lambda a: linalg.slogdet(a)[1], SQUARE),
    "linalg_cholesky_ex": (lambda a: linalg.cholesky(symmetric(a)), POSITIVE),
    "cholesky": (lambda a: ops.cholesky(symmetric(a)), POSITIVE),
    "cholesky_solve": (lambda b, u: torch.cholesky_solve(b, u.tril()), B, LOWER),
    "cholesky_inverse": (lambda u: torch.cholesky_inverse(u.tril()), LOWER),
    "linalg_qr": (linalg.qr, TALL),
    "_linalg_svd": (lambda a: linalg.svdvals(a), TALL),
    "_linalg_eigh": (lambda a: linalg.eigvalsh(symmetric(a)), POSITIVE),
    "linalg_pinv": (linalg.pinv, TALL),
    "linalg_lstsq": (lambda a, b: linalg.lstsq(a, b, driver="gels")[:2], TALL, B),
    "linalg_householder_product": (linalg.householder_product, REFLECTORS, TAU),
    "ormqr": (torch.ormqr, REFLECTORS, TAU, B),
    "linalg_matrix_exp": (linalg.matrix_exp, SQUARE),
}
COMPLEX = {"linalg_eig"}
"""Rows with complex results, tested by what real numbers are made of them."""
GROUPS = ("solve", "decompositions", "least_squares", "reflections", "matrix_exp")


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert set().union(*(rows_of(group) for group in GROUPS)) == ROWS.keys() | COMPLEX | {"geqrf"}


OTHERS: dict[str, Case] = {
    "solve, a vector": (linalg.solve, SQUARE, V),
    "solve, from the right": (lambda a, b: linalg.solve(a, b, left=False), SQUARE, B.T.copy()),
    "solve, one matrix for a stack": (linalg.solve, SQUARE, np.stack([B, -B])),
    "solve, a stack for one right-hand side": (linalg.solve, STACK, B),
    "solve_triangular, lower, from the right": (
        lambda a, b: linalg.solve_triangular(a, b, upper=False, left=False),
        LOWER,
        B.T.copy(),
    ),
    "solve_triangular, with a unit diagonal": (
        lambda a, b: linalg.solve_triangular(a, b, upper=False, unitriangular=True),
        LOWER,
        B,
    ),
    "triangular_solve, transposed": (lambda b, a: ops.triangular_solve(b, a, True, True)[0], B, UPPER),
    "lu, tall": (lambda a: linalg.lu(a)[1:], TALL),
    "lu, wide": (lambda a: linalg.lu(a)[1:], WIDE),
    "lu_factor, wide": (lambda a: linalg.lu_factor(a)[0], WIDE),
    "lu_solve, adjoint": (lambda a, b: linalg.lu_solve(a, PIVOTS, b, adjoint=True), SQUARE, B),
    "lu_solve, from the right": (lambda a, b: linalg.lu_solve(a, PIVOTS, b, left=False), SQUARE, B.T.copy()),
    "lu_solve, from the right, adjoint": (
        lambda a, b: linalg.lu_solve(a, PIVOTS, b, left=False, adjoint=True),
        SQUARE,
        B.T.copy(),
    ),
    "inv of a stack": (linalg.inv, STACK),
    "det of a stack": (linalg.det, STACK),
    "logdet": (torch.logdet, POSITIVE),
    "cholesky, upper": (lambda a: linalg.cholesky(symmetric(a), upper=True), POSITIVE),
    "cholesky_solve, upper": (lambda b, u: torch.cholesky_solve(b, u.triu(), True), B, UPPER),
    "qr, square": (linalg.qr, SQUARE),
    "qr, wide": (linalg.qr, WIDE),
    "svd, tall": (lambda a: [without_sign(x) for x in (lambda u, s, v: (u.mT, v))(*linalg.svd(a, False))], TALL),
    "svd, wide": (lambda a: [without_sign(x) for x in (lambda u, s, v: (u.mT, v))(*linalg.svd(a, False))], WIDE),
    "svd, rebuilt": (lambda a: (lambda u, s, v: (u * s) @ v)(*linalg.svd(a)), SQUARE),
    "eigh, vectors": (lambda a: without_sign(linalg.eigh(symmetric(a))[1].mT), POSITIVE),
    "eigh, rebuilt": (lambda a: (lambda w, v: (v * w.exp()) @ v.mT)(*linalg.eigh(symmetric(a))), POSITIVE),
    "pinv, wide": (linalg.pinv, WIDE),
    "lstsq, a vector": (lambda a, b: linalg.lstsq(a[None], b[None])[0], TALL, V),
    "ormqr, transposed": (lambda a, t, c: torch.ormqr(a, t, c, True, True), REFLECTORS, TAU, B),
    "ormqr, from the right": (lambda a, t, c: torch.ormqr(a, t, c, False), REFLECTORS, TAU, B.T.copy()),
    "matrix_power, inverse": (lambda a: torch.matrix_power(a, -2), SQUARE),
    "cond": (linalg.cond, SQUARE),
    "vander": (lambda x: linalg.vander(x, N=4), V),
    "tensorinv": (lambda a: linalg.tensorinv(a.reshape(3, 1, 3), ind=1), SQUARE),
    "tensorsolve": (lambda a, b: linalg.tensorsolve(a.reshape(3, 3, 1), b), SQUARE, V),
    "norm, nuc": (lambda a: torch.norm(a, "nuc"), TALL),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_gradients(name: str) -> None:
    check_gradients(*OTHERS[name])


def test_eigenvalues_of_general_matrices_have_gradients() -> None:
    check_gradients(lambda a: linalg.eigvals(a).real.sort()[0], SQUARE)
    check_gradients(lambda a: linalg.eigvals(a).abs().sort()[0], SQUARE - SQUARE.T + np.eye(3))
    check_gradients(lambda a: (lambda w, v: ((v * w.exp()) @ linalg.inv(v)).real)(*linalg.eig(a)), SQUARE)


COMPLEX_MATRICES: dict[str, Any] = {
    "inv": linalg.inv,
    "det": linalg.det,
    "slogdet, sign": lambda z: linalg.slogdet(z)[0],
    "slogdet, size": lambda z: linalg.slogdet(z)[1] + 0j,
    "solve": lambda z: linalg.solve(z, z.mT * 2),
    "solve_triangular": lambda z: linalg.solve_triangular(z, z.mT + 1, upper=True),
    "lu_factor": lambda z: linalg.lu_factor(z)[0],
    "cholesky": lambda z: linalg.cholesky(z @ z.mH),
    "qr": lambda z: (lambda q, r: r @ q)(*linalg.qr(z)),
    "svd": lambda z: (lambda u, s, v: (u * s.exp()) @ v)(*linalg.svd(z)),
    "svdvals": lambda z: linalg.svdvals(z) + 0j,
    "eigh": lambda z: (lambda w, v: (v * w.exp()) @ v.mH)(*linalg.eigh(z + z.mH)),
    "eig": lambda z: (lambda w, v: (v * w.exp()) @ linalg.inv(v))(*linalg.eig(z)),
    "pinv": lambda z: linalg.pinv(z[:, :2]),
    "lstsq": lambda z: linalg.lstsq(z[:, :2], z[:, 2:])[0],
    "matrix_exp": linalg.matrix_exp,
    "householder_product": lambda z: linalg.householder_product(z[:, :2], z[0, :2]),
}


@pytest.mark.parametrize("name", COMPLEX_MATRICES)
def test_complex_matrices_have_gradients(name: str) -> None:
    f = COMPLEX_MATRICES[name]
    check_gradients(lambda a, b: torch.view_as_real(f(torch.complex(a, b))), SQUARE, SQUARE.T * 0.4 + 0.1)


def test_second_gradient_of_a_singular_determinant() -> None:
    """The determinant of a singular matrix has derivatives, though the inverse does not exist."""
    singular = SQUARE.copy()
    singular[2] = singular[0] - 0.5 * singular[1]
    check_gradients(linalg.det, singular)


def test_a_solution_solves() -> None:
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 5, 17, 100):
        a, b = rng.standard_normal((2, n, n)), rng.standard_normal((2, n, 3))
        x = linalg.solve(tensor(a), tensor(b))._array
        np.testing.assert_allclose(a @ x, b, atol=1e-8)
        np.testing.assert_allclose(linalg.inv(tensor(a))._array @ a, np.broadcast_to(np.eye(n), a.shape), atol=1e-8)
        np.testing.assert_allclose(linalg.det(tensor(a))._array, np.linalg.det(a))


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_factors_multiply_to_the_matrix(shape: tuple[int, ...]) -> None:
    a = tensor(np.random.default_rng(1).standard_normal(shape))
    p, lower, upper = linalg.lu(a)
    q, r = linalg.qr(a)
    u, s, vh = linalg.svd(a, full_matrices=False)
    for product in (p @ lower @ upper, q @ r, u * s.unsqueeze(-2) @ vh):
        np.testing.assert_allclose(product._array, a._array, atol=1e-12)
    np.testing.assert_array_equal((p @ lower @ upper).shape, a.shape)


def test_results_lie_in_memory_as_in_torch() -> None:
    a = tensor(STACK)
    for result in (linalg.inv(a), linalg.solve(a, a), linalg.qr(a)[0], linalg.svd(a)[0], linalg.lu_factor(a)[0]):
        assert result.stride() == (9, 1, 3)
    assert linalg.pinv(a).stride() == linalg.matrix_exp(a).stride() == linalg.lu(a)[1].stride() == (9, 3, 1)


def test_determinants_that_are_zero_or_negative() -> None:
    zero = torch.zeros(2, 2)
    assert linalg.det(zero).item() == 0
    assert repr(linalg.slogdet(zero)) == "torch.return_types.linalg_slogdet(\nsign=tensor(0.),\nlogabsdet=tensor(-inf))"
    assert torch.logdet(zero).item() == -math.inf
    assert math.isnan(torch.logdet(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).item())
    assert linalg.det(torch.zeros(0, 0)).item() == 1


def test_nearly_singular_factors_are_those_of_lapack() -> None:
    """Recorded from torch 2.13: whether a rounding error is left depends on the order of operations."""
    counting = torch.arange(1.0, 10.0, dtype=torch.float64).reshape(3, 3)
    factors, pivots = linalg.lu_factor(counting)
    assert factors[2, 2].item() == 1.1102230246251565e-16
    assert pivots.tolist() == [3, 3, 3]


LAPLACIAN = ((2, -1, 0), (-1, 2, -1), (0, -1, 2))
COUPLED = ((5, 2, 0, 1), (2, 1, 0, -1), (0, 0, -3, 2), (1, -1, 2, 0))
VECTORS: list[tuple[Any, str, Any]] = [
    (LAPLACIAN, "L", ((0.5, -0.707107, -0.5), (0.707107, 0, 0.707107), (0.5, 0.707107, -0.5))),
    (
        ((4, 1, 2), (1, 3, 0), (2, 0, 2)),
        "U",
        ((-0.547398, 0.15351, 0.822673), (0.231804, -0.916757, 0.325306), (0.804128, 0.368771, 0.466246)),
    ),
    (
        COUPLED,
        "L",
        (
            (-0.079482, 0.339823, 0.134388, -0.927439),
            (0.124309, -0.717602, -0.584175, -0.358238),
            (-0.86805, -0.389002, 0.307589, -0.023572),
            (0.474045, -0.467167, 0.738965, -0.104723),
        ),
    ),
    (
        COUPLED,
        "U",
        (
            (0.079482, -0.339823, 0.134388, -0.927439),
            (-0.124309, 0.717602, -0.584175, -0.358238),
            (0.86805, 0.389002, 0.307589, -0.023572),
            (-0.474045, 0.467167, 0.738965, -0.104723),
        ),
    ),
]
"""Eigenvectors recorded from torch 2.13: their signs are the algorithm's."""


@pytest.mark.parametrize(("matrix", "triangle", "vectors"), VECTORS)
def test_eigenvectors_have_the_signs_of_torch(matrix: Any, triangle: str, vectors: Any) -> None:
    found = linalg.eigh(torch.tensor(matrix, dtype=torch.float64), triangle)
    np.testing.assert_allclose(found.eigenvectors._array, vectors, atol=1e-6)


def test_eigenvectors_of_any_size() -> None:
    rng = np.random.default_rng(2)
    for a in (
        *(rng.standard_normal((n, n)) for n in (1, 2, 7, 25, 26, 40)),
        np.ones((5, 5)),
        np.zeros((3, 3)),
        np.diag([3.0, 1, 2]),
        np.eye(3) * 1e-200,
    ):
        a = a + a.T
        values, vectors = linalg.eigh(tensor(a))
        np.testing.assert_allclose(values._array, np.linalg.eigvalsh(a), atol=1e-12)
        np.testing.assert_allclose(vectors._array @ np.diag(values._array) @ vectors._array.T, a, atol=1e-12)


def test_half_of_the_work_needs_no_vectors() -> None:
    a = tensor(TALL)
    u, s, v = torch.svd(a, compute_uv=False)
    assert u.shape == (3, 3) and v.shape == (2, 2) and not u.any()
    np.testing.assert_allclose(s._array, np.linalg.svd(TALL, compute_uv=False))
    assert linalg.matrix_rank(a).item() == 2
    assert linalg.matrix_rank(torch.ones(3, 3)).item() == 1


def test_info_tells_what_went_wrong() -> None:
    zero = torch.zeros(2, 2)
    assert linalg.inv_ex(zero).info.item() == 1
    assert linalg.cholesky_ex(-torch.eye(3)).info.item() == 1
    assert linalg.lu_factor_ex(torch.tensor([[1.0, 1.0], [1.0, 1.0]])).info.item() == 2


FAILURES: dict[str, tuple[Any, str]] = {
    "inv": (
        lambda: linalg.inv(torch.zeros(2, 2)),
        "linalg.inv: The diagonal element 1 is zero, the inversion could "
        "not be completed because the input matrix is singular.",
    ),
    "inv of a stack": (
        lambda: linalg.inv(torch.stack([torch.eye(2), torch.ones(2, 2)])),
        "linalg.inv: (Batch element 1): The diagonal element 2 is zero, the inversion could not be "
        "completed because the input matrix is singular.",
    ),
    "solve": (
        lambda: linalg.solve(torch.ones(2, 2), torch.ones(2)),
        "torch.linalg.solve: The solver failed because the input matrix is singular.",
    ),
    "cholesky": (
        lambda: linalg.cholesky(-torch.eye(2)),
        "linalg.cholesky: The factorization could not be completed "
        "because the input is not positive-definite (the leading minor of order 1 is not positive-definite).",
    ),
    "svd": (
        lambda: linalg.svd(torch.full((2, 2), math.nan)),
        "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_matrices_without_an_answer(name: str) -> None:
    run, text = FAILURES[name]
    with pytest.raises(linalg.LinAlgError) as caught:
        run()
    assert str(caught.value) == text


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "vector": (
        lambda: linalg.inv(torch.ones(3)),
        RuntimeError,
        "linalg.inv: The input tensor A must have at least 2 dimensions.",
    ),
    "not square": (
        lambda: linalg.det(torch.ones(2, 3)),
        RuntimeError,
        "linalg.det: A must be batches of square matrices, but they are 2 by 3 matrices",
    ),
    "whole numbers": (
        lambda: linalg.slogdet(torch.ones(2, 2, dtype=torch.int64)),
        RuntimeError,
        "linalg.slogdet: Expected a floating point or complex tensor as input. Got Long",
    ),
    "eigh of whole numbers": (
        lambda: linalg.eigh(torch.ones(2, 2, dtype=torch.int64)),
        NotImplementedError,
        "\"linalg_eigh_cpu\" not implemented for 'Long'",
    ),
    "shapes": (
        lambda: linalg.solve(torch.eye(2), torch.ones(3, 1)),
        RuntimeError,
        "linalg.solve: Incompatible shapes of A and B for the equation AX = B (2x2 and 3x1)",
    ),
    "dtypes": (
        lambda: linalg.solve(torch.eye(2), torch.ones(2).double()),
        RuntimeError,
        "linalg.solve: Expected A and B to have the same dtype, but found A of type Float and B of type Double instead",
    ),
    "mode": (
        lambda: linalg.qr(torch.eye(2), "x"),
        RuntimeError,
        "qr received unrecognized mode 'x' but expected one of 'reduced' (default), 'r', or 'complete'",
    ),
    "pinv": (
        lambda: linalg.pinv(torch.ones(3)),
        RuntimeError,
        "linalg.pinv(Float{[3]}): expected a tensor with 2 or "
        "more dimensions of float, double, cfloat or cdouble types",
    ),
    "vander": (lambda: linalg.vander(torch.ones(3), N=0), RuntimeError, "N must be greater than 1."),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    run, kind, text = REFUSED[name]
    with pytest.raises(kind) as caught:
        run()
    assert str(caught.value) == text


def test_qr_that_has_no_gradient() -> None:
    a = tensor(TALL, requires_grad=True)
    with pytest.raises(RuntimeError, match="^The derivative of linalg.qr depends on Q"):
        linalg.qr(a, mode="r")[1].sum().backward()
    with pytest.raises(RuntimeError, match="is not differentiable when mode='complete' and nrows > ncols.$"):
        linalg.qr(a, mode="complete")[1].sum().backward()


def test_conditions_in_other_norms_have_no_gradient() -> None:
    """PyTorch overwrites the inverse that the gradient needs."""
    a = tensor(SQUARE, requires_grad=True)
    condition = linalg.cond(a, "fro")
    np.testing.assert_allclose(condition._array, np.linalg.cond(SQUARE, "fro"))
    with pytest.raises(RuntimeError, match="which is output 0 of LinalgInvEx, is at version 1; expected version 0"):
        condition.backward()


def test_reflections_make_a_triangle() -> None:
    a, tau = torch.geqrf(tensor(TALL, requires_grad=True))
    np.testing.assert_allclose(linalg.householder_product(a, tau)._array @ np.triu(a._array[:2]), TALL, atol=1e-12)
    assert type(a.grad_fn).__name__ == "GeqrfBackward0"
    with pytest.raises(NotImplementedError, match="^the derivative for 'geqrf' is not implemented.$"):
        a.sum().backward()


def test_powers_of_a_vector() -> None:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    powers = torch.vander(x)
    assert powers.tolist() == [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    assert type(powers.grad_fn).__name__ == "FlipBackward0"
    assert torch.vander(x, 2, increasing=True).tolist() == [[1, 1], [1, 2], [1, 3]]


@pytest.mark.parametrize("name", ["solve", "lstsq", "symeig", "eig", "matrix_rank"])
def test_removed_functions_say_what_replaces_them(name: str) -> None:
    with pytest.raises(RuntimeError, match=r"^This function was deprecated since version 1.9 and is now removed\."):
        getattr(torch, name)(torch.eye(2))


def test_older_names_warn_once(recwarn: pytest.WarningsRecorder) -> None:
    torch.cholesky(torch.eye(2))
    torch.cholesky(torch.eye(2))
    assert len([w for w in recwarn if "torch.cholesky is deprecated" in str(w.message)]) <= 1


def test_rows_of_numbers_do_not_mix() -> None:
    """Each matrix of a stack is treated as it would be alone."""
    stack, alone = tensor(STACK), [tensor(a) for a in STACK]
    for f in (linalg.inv, linalg.det, linalg.matrix_exp, linalg.svdvals, lambda a: linalg.cholesky(a @ a.mT)):
        together = f(stack)._array
        for one, a in zip(together, alone, strict=True):
            np.testing.assert_allclose(one, f(a)._array, rtol=1e-12)
