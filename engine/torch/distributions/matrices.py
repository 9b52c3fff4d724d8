"""Random matrices: Cholesky factors of correlations, and covariances."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.torch.distributions import constraints
from engine.torch.distributions.distribution import Distribution, ExponentialFamily
from engine.torch.distributions.gamma import Beta, Chi2
from engine.torch.distributions.multivariate import _MATRICES, precision_to_scale_tril
from engine.torch.distributions.utils import broadcast_all, is_number, lazy_property, linalg, torch
from engine.types import dtypes
from engine.types.dtypes import Size


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, uniform at concentration 1 (Lewandowski et al., 2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None) -> None:
        if dim < 2:
            raise errors.lkj_dimension(dim)
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (self.dim - 2)
        offset = torch.arange(self.dim - 1, dtype=self.concentration.dtype)
        offset = torch.cat([offset.new_zeros((1,)), offset])
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.size(), (dim, dim), validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made.dim = self.dim
        made.concentration = self.concentration.expand(shape)
        made._beta = self._beta.expand((*shape, self.dim))
        return self._finish(made, shape)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Row by row (the onion method)."""
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype).tril(-1)
        sphere = normal / normal.norm(dim=-1, keepdim=True)
        sphere[..., 0, :].fill_(0.0)
        w = torch.sqrt(y) * sphere
        diagonal = torch.clamp(1 - torch.sum(w**2, dim=-1), min=dtypes.finfo(w.dtype).tiny).sqrt()
        w += torch.diag_embed(diagonal)
        return w

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        density = torch.sum(order * diagonal.log(), dim=-1)
        dm1 = self.dim - 1
        alpha = self.concentration + 0.5 * dm1
        denominator = torch.lgamma(alpha) * dm1
        numerator = torch.mvlgamma(alpha - 0.5, dm1)
        constant = 0.5 * dm1 * math.log(math.pi)
        return density - (constant + numerator - denominator)


def _mvdigamma(x: Any, p: int) -> Any:
    steps = torch.arange(p, dtype=x.dtype).div(2).expand((*x.shape, -1))
    return torch.digamma(x.unsqueeze(-1) - steps).sum(-1)


class Wishart(ExponentialFamily):
    """Covariances of `df` normal vectors."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        matrices = zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril), strict=True)
        given = [(name, matrix) for name, matrix in matrices if matrix is not None]
        if len(given) != 1:
            raise errors.wishart_one_matrix()
        ((name, matrix),) = given
        if matrix.dim() < 2:
            raise errors.wishart_matrix()
        if is_number(df):
            batch = Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype)
        else:
            batch = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch)
        event = matrix.shape[-2:]
        if self.df.le(event[-1] - 1)._array.any():
            raise errors.wishart_df(df, event[-1] - 1)
        setattr(self, name, matrix.expand((*batch, -1, -1)))
        self._region = {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(event[-1] - 1),
        }
        super().__init__(batch, event, validate_args=validate_args)
        self._batch_dims = [-(x + 1) for x in range(len(self._batch_shape))]
        if scale_tril is not None:
            self._unbroadcasted_scale_tril = scale_tril
        elif covariance_matrix is not None:
            self._unbroadcasted_scale_tril = linalg.cholesky(covariance_matrix)
        else:
            self._unbroadcasted_scale_tril = precision_to_scale_tril(precision_matrix)
        steps = torch.arange(event[-1], dtype=matrix.dtype).expand((*batch, -1))
        self._dist_chi2 = Chi2(self.df.unsqueeze(-1) - steps)

    arg_constraints = property(lambda self: self._region)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made._region = self._region
        made._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand((*shape, *self.event_shape))
        made.df = self.df.expand(shape)
        for name in _MATRICES:
            if name in self.__dict__:
                setattr(made, name, self.__dict__[name].expand((*shape, *self.event_shape)))
        steps = torch.arange(self.event_shape[-1], dtype=made.df.dtype).expand((*shape, -1))
        made._dist_chi2 = Chi2(made.df.unsqueeze(-1) - steps)
        made._batch_dims = [-(x + 1) for x in range(len(shape))]
        return self._finish(made, shape)

    def _full(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        return self._full(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        return self._full(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self) -> Any:
        n = self._event_shape[-1]
        identity = torch.eye(n, dtype=self._unbroadcasted_scale_tril.dtype)
        return self._full(torch.cholesky_solve(identity, self._unbroadcasted_scale_tril))

    mean = property(lambda self: self.df.view((*self._batch_shape, 1, 1)) * self.covariance_matrix)

    @property
    def mode(self) -> Any:
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = math.nan
        return factor.view((*self._batch_shape, 1, 1)) * self.covariance_matrix

    @property
    def variance(self) -> Any:
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        products = torch.einsum("...i,...j->...ij", diagonal, diagonal)
        return self.df.view((*self._batch_shape, 1, 1)) * (v.pow(2) + products)

    def rsample(self, sample_shape: Any = (), max_try_correction: int | None = None) -> Any:
        """By Bartlett's decomposition. PyTorch 2.13 draws again what is *not* singular, and so do we."""
        if max_try_correction is None:
            max_try_correction = 3 if len(self._batch_shape) > 0 else 10
        sample = self._bartlett(Size(sample_shape))
        again = self.support.check(sample)
        if self._batch_shape:
            again = again.amax(self._batch_dims)
        if again.any():
            errors.warn_wishart_singular()
            for _ in range(max_try_correction):
                redrawn = self._bartlett(again[again].shape)
                sample[again] = redrawn
                singular = ~self.support.check(redrawn)
                if self._batch_shape:
                    singular = singular.amax(self._batch_dims)
                again[again.clone()] = singular
                if not again.any():
                    break
        return sample

    def _bartlett(self, sample_shape: Any) -> Any:
        p = self._event_shape[-1]
        chi = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = chi.clamp(min=dtypes.finfo(chi.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(row=p, col=p, offset=-1)
        noise[..., i, j] = torch.randn((*sample_shape, *self._batch_shape, p * (p - 1) // 2), dtype=noise.dtype)
        factor = self._unbroadcasted_scale_tril @ noise
        return factor @ factor.transpose(-2, -1)

    def _half_log_det(self) -> Any:
        p = self._event_shape[-1]
        diagonal = self._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1)
        return p * math.log(2) / 2 + diagonal.log().sum(-1)

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        nu, p = self.df, self._event_shape[-1]
        return (
            -nu * self._half_log_det()
            - torch.mvlgamma(nu / 2, p=p)
            + (nu - p - 1) / 2 * linalg.slogdet(value).logabsdet
            - torch.cholesky_solve(value, self._unbroadcasted_scale_tril).diagonal(dim1=-2, dim2=-1).sum(dim=-1) / 2
        )

    def entropy(self) -> Any:
        nu, p = self.df, self._event_shape[-1]
        return (
            (p + 1) * self._half_log_det()
            + torch.mvlgamma(nu / 2, p=p)
            - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p)
            + nu * p / 2
        )

    _natural_params = property(lambda self: (-self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2))

    def _log_normalizer(self, *natural_params: Any) -> Any:
        x, y = natural_params
        p = x.shape[-1]
        half = (p + 1) / 2
        return (y + half) * (-linalg.slogdet(-2 * x).logabsdet + math.log(2) * p) + torch.mvlgamma(y + half, p=p)
