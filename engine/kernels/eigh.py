"""Eigenvectors of small symmetric and Hermitian matrices with the signs that PyTorch gives them.

The sign of an eigenvector is an accident of the algorithm. PyTorch's LAPACK reduces the matrix to a tridiagonal one by
reflections and diagonalises that by implicit QL steps, with plane rotations as LAPACK had them before 3.10; numpy's is
newer. Up to `LARGEST` rows the same steps are taken here (Golub and Van Loan, Matrix Computations, 8.3).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

LARGEST = 25
"""Larger matrices are divided and conquered, by numpy."""
SMALLEST_NUMBER = float(np.finfo(np.float64).tiny)
SWEEPS = 30
"""Steps per eigenvalue after which LAPACK gives up."""


def symmetric(a: Any, upper: bool) -> tuple[Any, Any] | None:
    """Ascending eigenvalues and eigenvectors (columns) of (n, n), of which one triangle is read.

    None when the matrix is not one for this algorithm: too large, too extreme, or stubborn.
    """
    n = len(a)
    if n > LARGEST:
        return None
    work = np.array(a, np.complex128 if a.dtype.kind == "c" else np.float64)
    size = float(np.abs(np.triu(work) if upper else np.tril(work)).max(initial=0))
    if size and not 1e-100 < size < 1e100:
        return None
    eps = float(np.finfo(a.dtype).eps) / 2
    diagonal, beside, vectors = _tridiagonal_upper(work) if upper else _tridiagonal_lower(work)
    if not _diagonalise(diagonal, beside, vectors, eps):
        return None
    _sort(diagonal, vectors)
    return np.array(diagonal, a.real.dtype), vectors.astype(a.dtype)


def _signed(size: float, sign: float) -> float:
    """Fortran's SIGN, for which -0.0 is not negative."""
    return -size if sign < 0 else size


def _reflector(alpha: Any, rest: Any) -> tuple[float, Any, Any]:
    """`(beta, tau, scale)` of the reflection that takes (alpha, rest) to (beta, 0), where beta is real."""
    length = float(np.linalg.norm(rest))
    if not length and not alpha.imag:
        return alpha.real, 0.0, 0.0
    beta = -_signed(math.hypot(alpha.real, alpha.imag, length), alpha.real)
    return beta, (beta - alpha) / beta, 1 / (alpha - beta)


def _reflect(block: Any, vector: Any, tau: Any) -> None:
    """Hᴴ A H of a Hermitian block, in place, with H = 1 − τ v vᴴ."""
    turned = tau * (block @ vector)
    turned -= 0.5 * tau * np.vdot(turned, vector) * vector
    block -= np.outer(vector, turned.conj()) + np.outer(turned, vector.conj())


def _tridiagonal_lower(a: Any) -> tuple[list[float], list[float], Any]:
    """Diagonal, subdiagonal, and the matrix of the reflections; reads the lower triangle."""
    n = len(a)
    a = np.tril(a, -1) + np.tril(a, -1).T.conj() + np.diag(a.diagonal().real)
    beside, reflections = [], []
    for i in range(n - 1):
        beta, tau, scale = _reflector(a[i + 1, i].item(), a[i + 2 :, i])
        vector = a[i + 1 :, i] * scale
        vector[0] = 1
        _reflect(a[i + 1 :, i + 1 :], vector, tau)
        beside.append(beta)
        reflections.append((slice(i + 1, n), vector, tau))
    return a.diagonal().real.tolist(), beside, _product(reflections, n, a.dtype)


def _tridiagonal_upper(a: Any) -> tuple[list[float], list[float], Any]:
    """As `_tridiagonal_lower` from the upper triangle, starting at its last column."""
    n = len(a)
    a = np.triu(a, 1) + np.triu(a, 1).T.conj() + np.diag(a.diagonal().real)
    beside, reflections = [], []
    for i in range(n - 1, 0, -1):
        beta, tau, scale = _reflector(a[i - 1, i].item(), a[: i - 1, i])
        vector = a[:i, i] * scale
        vector[-1] = 1
        _reflect(a[:i, :i], vector, tau)
        beside.append(beta)
        reflections.append((slice(0, i), vector, tau))
    return a.diagonal().real.tolist(), beside[::-1], _product(reflections, n, a.dtype)


def _product(reflections: list[tuple[slice, Any, Any]], n: int, dtype: Any) -> Any:
    product = np.eye(n, dtype=dtype)
    for place, vector, tau in reversed(reflections):
        block = product[place, place]
        block -= tau * np.outer(vector, vector.conj() @ block)
    return product


def _rotation(f: float, g: float) -> tuple[float, float, float]:
    """`(c, s, r)` of the rotation that takes (f, g) to (r, 0)."""
    if g == 0:
        return 1.0, 0.0, f
    if f == 0:
        return 0.0, 1.0, g
    r = math.sqrt(f * f + g * g)
    if abs(f) > abs(g) and f < 0:
        r = -r
    return f / r, g / r, r


def _two_by_two(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """Eigenvalues of [[a, b], [b, c]], the larger in size first, and its vector (cosine, sine)."""
    total, difference, twice = a + c, a - c, b + b
    root = math.hypot(difference, twice)
    large, small = (a, c) if abs(a) > abs(c) else (c, a)
    if total == 0:
        first, second, sign = 0.5 * root, -0.5 * root, 1
    else:
        sign = 1 if total > 0 else -1
        first = 0.5 * (total + sign * root)
        second = (large / first) * small - (b / first) * b
    side = 1 if difference >= 0 else -1
    along = difference + side * root
    if abs(along) > abs(twice):
        cotangent = -twice / along
        sine = 1 / math.sqrt(1 + cotangent * cotangent)
        cosine = cotangent * sine
    elif twice == 0:
        cosine, sine = 1.0, 0.0
    else:
        tangent = -along / twice
        cosine = 1 / math.sqrt(1 + tangent * tangent)
        sine = tangent * cosine
    return (first, second, -sine, cosine) if sign == side else (first, second, cosine, sine)


def _rotate(z: Any, first: int, second: int, c: float, s: float) -> None:
    """The columns `first` and `second` turned into c·first + s·second and c·second − s·first."""
    z[:, first], z[:, second] = c * z[:, first] + s * z[:, second], c * z[:, second] - s * z[:, first]


def _diagonalise(d: list[float], e: list[float], z: Any, eps: float) -> bool:
    """Turn the tridiagonal matrix (d, e) into its eigenvalues `d`, and `z` along with it. False if it would not end."""
    n, left = len(d), SWEEPS * len(d)
    start = 0
    while start < n:
        end = start
        while end < n - 1:
            bound = math.sqrt(abs(d[end])) * math.sqrt(abs(d[end + 1])) * eps
            if abs(e[end]) <= bound:
                e[end] = 0.0
                break
            end += 1
        left = _diagonalise_block(d, e, z, (start, end), eps, left)
        if left < 0:
            return False
        # What did not come apart at the first try is looked at again.
        if all(value == 0 for value in e[start:end]):
            start = end + 1
    return True


def _diagonalise_block(d: list[float], e: list[float], z: Any, ends: tuple[int, int], eps: float, left: int) -> int:
    """QL steps on a block without zeros beside the diagonal, from the end with the smaller entry; returns `left`."""
    at, last = ends
    if abs(d[last]) < abs(d[at]):
        at, last = last, at
    step = 1 if last >= at else -1
    # The entry beside the diagonal between i and i + step.
    offset = 0 if step == 1 else -1
    while (last - at) * step >= 0:
        m = at
        while m != last:
            if e[m + offset] ** 2 <= (eps * eps * abs(d[m])) * abs(d[m + step]) + SMALLEST_NUMBER:
                e[m + offset] = 0.0
                break
            m += step
        if m == at:
            at += step
        elif m == at + step:
            low = min(at, m)
            d[low], d[low + 1], c, s = _two_by_two(d[low], e[low], d[low + 1])
            _rotate(z, low, low + 1, c, s)
            e[low] = 0.0
            at += 2 * step
        else:
            if not left:
                return -1
            left -= 1
            _step(d, e, z, at, m, step)
    return left


def _step(d: list[float], e: list[float], z: Any, at: int, m: int, step: int) -> None:
    """One implicit step with Wilkinson's shift: a bulge is chased from `m` to `at`."""
    offset = 0 if step == 1 else -1
    g = (d[at + step] - d[at]) / (2 * e[at + offset])
    g = d[m] - d[at] + e[at + offset] / (g + _signed(math.hypot(g, 1), g))
    s = c = 1.0
    p = 0.0
    for i in range(m - step, at - step, -step):
        f, b = s * e[i + offset], c * e[i + offset]
        c, s, r = _rotation(g, f)
        if i != m - step:
            e[i + step + offset] = r
        g = d[i + step] - p
        r = (d[i] - g) * s + 2 * c * b
        p = s * r
        d[i + step] = g + p
        g = c * r - b
        _rotate(z, i + step, i, c, s)
    d[at] -= p
    e[at + offset] = g


def _sort(d: list[float], z: Any) -> None:
    """Ascending order, by exchanges as LAPACK makes them."""
    for i in range(len(d) - 1):
        k = min(range(i, len(d)), key=d.__getitem__)
        if k != i:
            d[i], d[k] = d[k], d[i]
            z[:, [i, k]] = z[:, [k, i]]
