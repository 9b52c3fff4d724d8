"""Incomplete gamma functions and the zeta function."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from engine.kernels.names import kernel
from engine.types import dtypes


@kernel
def incomplete_gamma(name: str, a: Any, x: Any) -> Any:
    """The lower (`igamma`) or upper (`igammac`) incomplete gamma function, regularised."""
    dtypes.expect(a, f"{name}_cpu", dtypes.FLOATING)
    return (special.gammainc if name == "igamma" else special.gammaincc)(a, x)


@kernel
def zeta_kernel(s: Any, q: Any) -> Any:
    """Hurwitz's zeta function: infinite at its poles, NaN where it is not defined."""
    s, q = np.asarray(s), np.asarray(q)
    kind = np.result_type(s, q) if np.result_type(s, q).kind in dtypes.FLOATING else np.dtype(np.float32)
    found = special.zeta(s.astype(np.float64), q.astype(np.float64))
    found = np.where((q <= 0) & (q == np.floor(q)) & (s > 1), np.inf, found)
    return np.where(s == 1, np.inf, np.where(s < 1, np.nan, found)).astype(kind)[()]
