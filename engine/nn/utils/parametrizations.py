"""Ready-made parametrizations: orthogonal matrices, weight norm, spectral norm."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import LINALG, TORCH
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from engine.nn.module import Module
from engine.nn.utils.parametrize import register_parametrization
from engine.types import dtypes

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]

_MAPS = ("matrix_exp", "cayley", "householder")


def _is_orthogonal(q: Any) -> bool:
    n, k = q.size(-2), q.size(-1)
    identity = TORCH["eye"](k, dtype=q.dtype)
    return bool(TORCH["allclose"](q.mH @ q, identity, atol=10.0 * n * dtypes.finfo(q.dtype).eps))


def _made_orthogonal(a: Any) -> Any:
    """The orthogonal factor of QR whose R has a positive diagonal."""
    x, tau = TORCH["geqrf"](a)
    q = LINALG["householder_product"](x, tau)
    q *= x.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)
    return q


class _Orthogonal(Module):
    """Any matrix to one with orthonormal columns (or rows, if it is wide)."""

    def __init__(self, weight: Tensor, orthogonal_map: str, *, use_trivialization: bool = True) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise errors.householder_complex()
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        n, k = X.size(-2), X.size(-1)
        wide = n < k
        if wide:
            X = X.mT
            n, k = k, n
        q = self._reflected(X) if self.orthogonal_map == "householder" else self._rotated(X, n, k)
        if hasattr(self, "base"):
            q = self.base @ q
        return q.mT if wide else q

    def _rotated(self, x: Any, n: int, k: int) -> Any:
        """From a skew-symmetric matrix, by its exponential or by Cayley's map."""
        x = x.tril()
        if n != k:
            x = TORCH["cat"]([x, x.new_zeros(n, n - k).expand(*x.shape[:-2], -1, -1)], dim=-1)
        a = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            q = TORCH["matrix_exp"](a)
        else:
            identity = TORCH["eye"](n, dtype=a.dtype)
            q = LINALG["solve"](TORCH["add"](identity, a, alpha=-0.5), TORCH["add"](identity, a, alpha=0.5))
        return q[..., :k] if n != k else q

    def _reflected(self, x: Any) -> Any:
        """From a product of Householder reflections, and the signs on the diagonal."""
        a = x.tril(diagonal=-1)
        tau = 2.0 / (1.0 + (a * a).sum(dim=-2))
        q = LINALG["householder_product"](a, tau)
        return q * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def right_inverse(self, Q: Any) -> Any:
        with no_grad():
            return self._undone(Q)

    def _undone(self, given: Any) -> Any:
        if given.shape != self.shape:
            raise errors.orthogonal_shape(self.shape, given.shape)
        q, n, k = given, given.size(-2), given.size(-1)
        wide = n < k
        if wide:
            q = q.mT
            n, k = k, n
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise errors.orthogonal_assigned()
            a, tau = TORCH["geqrf"](q)
            a.diagonal(dim1=-2, dim2=-1).sign_()
            a.diagonal(dim1=-2, dim2=-1)[tau == 0.0] *= -1
            return a.mT if wide else a
        if n == k:
            q = q.clone() if _is_orthogonal(q) else _made_orthogonal(q)
        else:
            rest = TORCH["randn"](*(q.size()[:-2] + (n, n - k)), dtype=q.dtype)
            q = _made_orthogonal(TORCH["cat"]([q, rest], dim=-1))
        self.base = q
        # Every map takes −1 on the diagonal to the identity.
        start = TORCH["zeros_like"](given)
        start.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
        return start


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Module:
    """Keep a matrix of a module orthogonal."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise errors.no_such_tensor(module, name)
    if weight.ndim < 2:
        raise errors.orthogonal_dimensions(weight.ndim)
    if orthogonal_map is None:
        square = weight.size(-2) == weight.size(-1)
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _MAPS:
        raise errors.orthogonal_map(orthogonal_map)
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    return register_parametrization(module, name, made, unsafe=True)


class _WeightNorm(Module):
    """A weight from its length `g` and its direction `v`."""

    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Any:
        return TORCH["_weight_norm"](weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> Any:
        return TORCH["norm_except_dim"](weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Learn length and direction of a weight apart."""
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _SpectralNorm(Module):
    """A weight divided by its largest singular value, which one power iteration for each use follows."""

    _u: Any
    _v: Any

    def __init__(self, weight: Any, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        ndim = weight.ndim
        if dim >= ndim or dim < -ndim:
            raise errors.spectral_dim(ndim, dim)
        if n_power_iterations <= 0:
            raise errors.power_iterations(n_power_iterations)
        self.dim = dim if dim >= 0 else dim + ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            h, w = matrix.size()
            u = matrix.new_empty(h).normal_(0, 1)
            v = matrix.new_empty(w).normal_(0, 1)
            self.register_buffer("_u", F.normalize(u, dim=0, eps=self.eps))
            self.register_buffer("_v", F.normalize(v, dim=0, eps=self.eps))
            self._iterate(matrix, 15)

    def _matrix(self, weight: Any) -> Any:
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _iterate(self, matrix: Any, times: int) -> None:
        with no_grad():
            for _ in range(times):
                self._u = F.normalize(TORCH["mv"](matrix, self._v), dim=0, eps=self.eps, out=self._u)
                self._v = F.normalize(TORCH["mv"](matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight: Any) -> Any:
        if weight.ndim == 1:
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / TORCH["vdot"](u, TORCH["mv"](matrix, v))

    def right_inverse(self, value: Any) -> Any:
        return value


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Keep the largest singular value of a weight at 1 (Miyato et al., 2018)."""
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise errors.no_such_tensor(module, name)
    if dim is None:
        dim = 1 if isinstance(module, ConvTranspose1d | ConvTranspose2d | ConvTranspose3d) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
