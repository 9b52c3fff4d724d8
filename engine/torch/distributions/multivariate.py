"""Normal distributions of vectors, with a full covariance or a low-rank one."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.core.inherited import written_again
from engine.torch.distributions import constraints
from engine.torch.distributions.distribution import Distribution
from engine.torch.distributions.utils import lazy_property, linalg, standard_normal, torch
from engine.types.dtypes import Size

_MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


def batch_mv(matrices: Any, vectors: Any) -> Any:
    """Matrix times vector, for batches: (…, n, m), (…, m) → (…, n)."""
    return torch.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def batch_mahalanobis(factor: Any, vectors: Any) -> Any:
    """vᵀ (L Lᵀ)⁻¹ v for triangular factors (…, n, n) and vectors (…, n); each factor is solved for its vectors once."""
    n = vectors.size(-1)
    shape = vectors.shape[:-1]
    batch = len(shape)
    factor_batch = factor.dim() - 2
    outer = batch - factor_batch
    old = batch + factor_batch
    new = batch + 2 * factor_batch
    split = list(vectors.shape[:outer])
    for factor_size, size in zip(factor.shape[:-2], vectors.shape[outer:-1], strict=True):
        split.extend((size // factor_size, factor_size))
    vectors = vectors.reshape((*split, n))
    order = [*range(outer), *range(outer, new, 2), *range(outer + 1, new, 2), new]
    vectors = vectors.permute(order)
    flat_factor = factor.reshape(-1, n, n)
    flat = vectors.reshape(-1, flat_factor.size(0), n)
    rows = flat.permute(1, 2, 0)
    distance = linalg.solve_triangular(flat_factor, rows, upper=False).pow(2).sum(-2).t()
    distance = distance.reshape(vectors.shape[:-1])
    back = list(range(outer))
    for i in range(factor_batch):
        back.extend((outer + i, old + i))
    return distance.permute(back).reshape(shape)


def precision_to_scale_tril(precision: Any) -> Any:
    """The Cholesky factor of the inverse of a matrix."""
    flipped = linalg.cholesky(torch.flip(precision, (-2, -1)))
    inverse = torch.transpose(torch.flip(flipped, (-2, -1)), -2, -1)
    return linalg.solve_triangular(inverse, torch.eye(precision.shape[-1], dtype=precision.dtype), upper=False)


@written_again("expand")
class MultivariateNormal(Distribution):
    """Vectors around `loc`, by covariance, by its inverse, or by its Cholesky factor."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True
    _unexpanded = ("_unbroadcasted_scale_tril",)

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise errors.multivariate_loc()
        matrices = zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril), strict=True)
        given = [(name, matrix) for name, matrix in matrices if matrix is not None]
        if len(given) != 1:
            raise errors.multivariate_one_matrix()
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise errors.multivariate_matrix(name)
        shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*shape, -1, -1)))
        self.loc = loc.expand((*shape, -1))
        super().__init__(shape, self.loc.shape[-1:], validate_args=validate_args)
        if scale_tril is not None:
            self._unbroadcasted_scale_tril = scale_tril
        elif covariance_matrix is not None:
            self._unbroadcasted_scale_tril = linalg.cholesky(covariance_matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_scale_tril(precision_matrix)

    @lazy_property
    def scale_tril(self) -> Any:
        return self._unbroadcasted_scale_tril.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @lazy_property
    def covariance_matrix(self) -> Any:
        factor = self._unbroadcasted_scale_tril
        return torch.matmul(factor, factor.mT).expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @lazy_property
    def precision_matrix(self) -> Any:
        inverse = torch.cholesky_inverse(self._unbroadcasted_scale_tril)
        return inverse.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    @property
    def variance(self) -> Any:
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand((*self._batch_shape, *self._event_shape))

    def rsample(self, sample_shape: Any = ()) -> Any:
        eps = standard_normal(self._extended_shape(sample_shape), self.loc.dtype)
        return self.loc + batch_mv(self._unbroadcasted_scale_tril, eps)

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        distance = batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        half_log_det = self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - half_log_det

    def entropy(self) -> Any:
        half_log_det = self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half_log_det
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)


def capacitance_tril(factor: Any, diagonal: Any) -> Any:
    """The Cholesky factor of I + Wᵀ D⁻¹ W."""
    m = factor.size(-1)
    scaled = factor.mT / diagonal.unsqueeze(-2)
    capacitance = torch.matmul(scaled, factor).contiguous()
    capacitance.view(-1, m * m)[:, :: m + 1] += 1
    return linalg.cholesky(capacitance)


def lowrank_logdet(factor: Any, diagonal: Any, capacitance: Any) -> Any:
    """log det (W Wᵀ + D), by the determinant of the small matrix."""
    return 2 * capacitance.diagonal(dim1=-2, dim2=-1).log().sum(-1) + diagonal.log().sum(-1)


def lowrank_mahalanobis(factor: Any, diagonal: Any, x: Any, capacitance: Any) -> Any:
    """xᵀ (W Wᵀ + D)⁻¹ x, by Woodbury's identity."""
    scaled = factor.mT / diagonal.unsqueeze(-2)
    projected = batch_mv(scaled, x)
    return (x.pow(2) / diagonal).sum(-1) - batch_mahalanobis(capacitance, projected)


class LowRankMultivariateNormal(Distribution):
    """Vectors of covariance `cov_factor @ cov_factor.T + diag(cov_diag)`."""

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None) -> None:
        if loc.dim() < 1:
            raise errors.multivariate_loc()
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise errors.lowrank_factor()
        if cov_factor.shape[-2:-1] != event:
            raise errors.lowrank_factor_shape(event[0])
        if cov_diag.shape[-1:] != event:
            raise errors.lowrank_diagonal_shape(event)
        loc_, diag_ = loc.unsqueeze(-1), cov_diag.unsqueeze(-1)
        try:
            loc_, self.cov_factor, diag_ = torch.broadcast_tensors(loc_, cov_factor, diag_)
        except RuntimeError as incompatible:
            raise errors.lowrank_batches(loc.shape, cov_factor.shape, cov_diag.shape) from incompatible
        self.loc = loc_[..., 0]
        self.cov_diag = diag_[..., 0]
        super().__init__(self.loc.shape[:-1], event, validate_args=validate_args)
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = capacitance_tril(cov_factor, cov_diag)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made.loc = self.loc.expand((*shape, *self.event_shape))
        made.cov_diag = self.cov_diag.expand((*shape, *self.event_shape))
        made.cov_factor = self.cov_factor.expand((*shape, *self.event_shape, *self.cov_factor.shape[-1:]))
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(made, name, getattr(self, name))
        return self._finish(made, shape)

    def _full(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self) -> Any:
        total = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return total.expand((*self._batch_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        n = self._event_shape[0]
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        matrix = torch.matmul(scaled, scaled.mT).contiguous()
        matrix.view(-1, n * n)[:, :: n + 1] += 1
        return self._full(root * linalg.cholesky(matrix))

    @lazy_property
    def covariance_matrix(self) -> Any:
        factor = self._unbroadcasted_cov_factor
        return self._full(torch.matmul(factor, factor.mT) + torch.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self) -> Any:
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        half = linalg.solve_triangular(self._capacitance_tril, scaled, upper=False)
        return self._full(torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - half.mT @ half)

    def rsample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        rank = shape[:-1] + self.cov_factor.shape[-1:]
        factor_noise = standard_normal(rank, self.loc.dtype)
        diagonal_noise = standard_normal(shape, self.loc.dtype)
        return (
            self.loc
            + batch_mv(self._unbroadcasted_cov_factor, factor_noise)
            + self._unbroadcasted_cov_diag.sqrt() * diagonal_noise
        )

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        parts = (self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag)
        distance = lowrank_mahalanobis(*parts, value - self.loc, self._capacitance_tril)
        log_det = lowrank_logdet(*parts, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + log_det + distance)

    def entropy(self) -> Any:
        parts = (self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag)
        log_det = lowrank_logdet(*parts, self._capacitance_tril)
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + log_det)
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)
