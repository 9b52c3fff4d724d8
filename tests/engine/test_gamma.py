"""Incomplete gamma functions, zeta, Bessel functions and orthogonal polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special as scipy_special

import engine.torch as torch
from engine.core.registry import ops
from engine.kernels.bessel import BESSEL, POLYNOMIALS
from tests.engine.gradients import POSITIVE, Case, check_row, rows_of, tensor

special: Any = torch.special
ORDER = tensor(np.array([0.8, 1.5, 3.0]))

ROWS: dict[str, Case] = {
    "igamma": (lambda x: special.gammainc(ORDER, x), POSITIVE),
    "igammac": (lambda x: special.gammaincc(ORDER, x), POSITIVE),
    "special_zeta": (lambda q: special.zeta(ORDER + 1, q), POSITIVE),
    "special_zeta_self_scalar": (lambda q: special.zeta(2.5, q), POSITIVE),
}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


def test_every_row_is_checked() -> None:
    assert rows_of("gamma") == ROWS.keys() | {"special_zeta_other_scalar"}
    assert rows_of("bessel") == set()


@pytest.mark.parametrize(
    ("name", "function"), [("igamma: input", ops.igamma), ("igammac: input", ops.igammac), ("zeta", ops.special_zeta)]
)
def test_orders_have_no_gradient(name: str, function: Any) -> None:
    order = tensor(np.array([1.5, 2.5]), requires_grad=True)
    with pytest.raises(NotImplementedError, match=f"^the derivative for '{name}' is not implemented.$"):
        function(order, tensor(np.array([1.0, 2.0]))).sum().backward()


def test_zeta_at_its_poles() -> None:
    found = special.zeta(torch.tensor([0.5, 1.0, 2.0, 2.0]), torch.tensor([1.0, 1.0, -1.0, 1.0]))
    assert str(found) == "tensor([   nan,    inf,    inf, 1.6449])"


def test_functions_without_a_gradient() -> None:
    """Recorded from torch 2.13, at 0.5 and 1.5, where degrees are 3 and 2."""
    x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
    for name in BESSEL:
        found = getattr(special, name)(x)
        assert not found.requires_grad and found.dtype is torch.float64
    np.testing.assert_allclose(special.bessel_j0(x)._array, scipy_special.jv(0, [0.5, 1.5]))
    np.testing.assert_allclose(special.spherical_bessel_j0(x)._array, np.sin([0.5, 1.5]) / [0.5, 1.5])
    assert special.bessel_y1(torch.tensor([1, 2])).dtype is torch.float32
    recorded = {
        "chebyshev_polynomial_t": [-1, 3.5],
        "chebyshev_polynomial_u": [-1, 8],
        "chebyshev_polynomial_v": [-1, 5],
        "chebyshev_polynomial_w": [-1, 11],
        "hermite_polynomial_h": [-5, 7],
        "hermite_polynomial_he": [-1.375, 1.25],
        "laguerre_polynomial_l": [-0.1458333283662796, -0.875],
        "legendre_polynomial_p": [-0.4375, 2.875],
        "shifted_chebyshev_polynomial_t": [0, 7],
        "shifted_chebyshev_polynomial_u": [0, 15],
        "shifted_chebyshev_polynomial_v": [1, 11],
        "shifted_chebyshev_polynomial_w": [-1, 19],
    }
    assert recorded.keys() == POLYNOMIALS.keys()
    for name, values in recorded.items():
        np.testing.assert_allclose(
            getattr(special, name)(x, torch.tensor([3, 2]))._array, values, rtol=1e-7, atol=1e-12
        )
        assert getattr(special, name)(x, -1).tolist() == [0, 0]
