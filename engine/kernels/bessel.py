"""Bessel functions and orthogonal polynomials, by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from engine.kernels.names import kernel
from engine.limits import meter

BESSEL: dict[str, Callable[[Any], Any]] = {
    "airy_ai": lambda x: special.airy(x)[0],
    "bessel_j0": special.j0,
    "bessel_j1": special.j1,
    "bessel_y0": special.y0,
    "bessel_y1": special.y1,
    "modified_bessel_i0": special.i0,
    "modified_bessel_i1": special.i1,
    "modified_bessel_k0": special.k0,
    "modified_bessel_k1": special.k1,
    "scaled_modified_bessel_k0": special.k0e,
    "scaled_modified_bessel_k1": special.k1e,
    "spherical_bessel_j0": lambda x: special.spherical_jn(0, x),
}

POLYNOMIALS: dict[str, Callable[[Any, Any], Any]] = {
    "chebyshev_polynomial_t": special.eval_chebyt,
    "chebyshev_polynomial_u": special.eval_chebyu,
    "chebyshev_polynomial_v": lambda n, x: special.eval_chebyu(n, x) - _before(special.eval_chebyu, n, x),
    "chebyshev_polynomial_w": lambda n, x: special.eval_chebyu(n, x) + _before(special.eval_chebyu, n, x),
    "hermite_polynomial_h": special.eval_hermite,
    "hermite_polynomial_he": special.eval_hermitenorm,
    "laguerre_polynomial_l": special.eval_laguerre,
    "legendre_polynomial_p": special.eval_legendre,
    "shifted_chebyshev_polynomial_t": special.eval_sh_chebyt,
    "shifted_chebyshev_polynomial_u": special.eval_sh_chebyu,
    "shifted_chebyshev_polynomial_v": lambda n, x: POLYNOMIALS["chebyshev_polynomial_v"](n, 2 * x - 1),
    "shifted_chebyshev_polynomial_w": lambda n, x: POLYNOMIALS["chebyshev_polynomial_w"](n, 2 * x - 1),
}


def _before(polynomial: Callable[[Any, Any], Any], n: Any, x: Any) -> Any:
    """The polynomial of one degree less; 0 where there is none."""
    return np.where(n < 1, 0, polynomial(np.maximum(n - 1, 0), x))


@kernel
def bessel_kernel(name: str, x: Any) -> Any:
    return BESSEL[name](x).astype(x.dtype)[()]


@kernel
def polynomial_kernel(name: str, x: Any, n: Any) -> Any:
    """Of whole degree, rounded towards 0; negative degrees give 0."""
    kind = np.result_type(x, n)
    shape = np.broadcast_shapes(np.shape(x), np.shape(n))
    meter.reserve(math.prod(shape), 8)
    largest = float(np.max(n, initial=0)) if np.size(n) else 0.0
    steps = min(max(largest, 0.0), 1e9) if largest == largest else 0.0
    meter.charge(int(math.prod(shape) * (64 + steps)) >> 9)
    degree = np.trunc(np.asarray(n, np.float64)).astype(np.int64)
    found = POLYNOMIALS[name](np.maximum(degree, 0), np.asarray(x, np.float64))
    return np.where(degree < 0, 0, found).astype(kind)[()]
