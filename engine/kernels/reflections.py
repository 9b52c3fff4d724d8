"""QR by Householder reflections."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels import lu
from engine.kernels.names import kernel
from engine.kernels.solve import check_implemented


@kernel
def geqrf_kernel(a: Any) -> tuple[Any, Any]:
    """The reflections that make `a` triangular, below the triangle, and their factors."""
    if a.ndim < 2:
        raise errors.geqrf_dimensions()
    check_implemented("geqrf_cpu", a)
    lu.charge(a, 4)
    turned, tau = np.linalg.qr(a, "raw")
    return np.ascontiguousarray(turned).mT, tau
