"""The Kullback-Leibler divergence of pairs of distributions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from engine import errors
from engine.autograd.api import grad
from engine.torch.distributions.categorical import Categorical, OneHotCategorical
from engine.torch.distributions.composed import Independent, TransformedDistribution
from engine.torch.distributions.counts import Bernoulli, Binomial, ContinuousBernoulli, Geometric, Poisson
from engine.torch.distributions.distribution import Distribution, ExponentialFamily
from engine.torch.distributions.gamma import Beta, Dirichlet, Exponential, Gamma
from engine.torch.distributions.location import Cauchy, Laplace, Normal, Uniform
from engine.torch.distributions.multivariate import (
    LowRankMultivariateNormal,
    MultivariateNormal,
    batch_mahalanobis,
    lowrank_logdet,
    lowrank_mahalanobis,
)
from engine.torch.distributions.transformed import Gumbel, HalfNormal, Pareto
from engine.torch.distributions.utils import F, euler_constant, linalg, sum_rightmost, torch

__all__ = ["kl_divergence", "register_kl"]

Formula = TypeVar("Formula", bound=Callable[[Any, Any], Any])

_registry: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


def register_kl(type_p: Any, type_q: Any) -> Callable[[Formula], Formula]:
    """Declare a function of `(p, q)` as the divergence of a pair of types and of their subclasses."""
    if not isinstance(type_p, type) or not isinstance(type_q, type):
        raise errors.register_kl_type()

    def register(formula: Formula) -> Formula:
        _registry[type_p, type_q] = formula
        return formula

    return register


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """KL(p ‖ q), for each pair of the batch. NotImplementedError for pairs of types without a formula."""
    formula = _find(type(p), type(q))
    if formula is None:
        raise errors.kl_unknown(type(p).__name__, type(q).__name__)
    return formula(p, q)


def _find(type_p: type, type_q: type) -> Any:
    """The formula of the nearest pair of ancestors: nearest in the first, or else in the second."""
    order_p, order_q = type_p.__mro__, type_q.__mro__
    matches = [pair for pair in _registry if pair[0] in order_p and pair[1] in order_q]
    if not matches:
        return None
    left = min(matches, key=lambda pair: (order_p.index(pair[0]), order_q.index(pair[1])))
    right = min(matches, key=lambda pair: (order_q.index(pair[1]), order_p.index(pair[0])))
    if _registry[left] is not _registry[right]:
        errors.warn_kl_ambiguous(type_p.__name__, type_q.__name__, left[0].__name__, right[1].__name__)
    return _registry[left]


def _infinite_like(value: Any) -> Any:
    return torch.full_like(value, math.inf)


def _infinite(type_p: type, parameter: str, *types_q: type) -> None:
    """Pairs where the second gives no probability to what the first can draw."""
    for type_q in types_q:
        register_kl(type_p, type_q)(lambda p, q: _infinite_like(getattr(p, parameter)))


def _x_log_x(value: Any) -> Any:
    return torch.xlogy(value, value)


def _trace_of_square(matrix: Any) -> Any:
    """tr(X Xᵀ) for a batch of matrices."""
    n, m = matrix.size(-1), matrix.size(-2)
    return matrix.reshape(-1, m * n).pow(2).sum(-1).reshape(matrix.shape[:-2])


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Any:
    heads = p.probs * (F.softplus(-q.logits) - F.softplus(-p.logits))
    heads[q.probs == 0] = math.inf
    heads[p.probs == 0] = 0
    tails = (1 - p.probs) * (F.softplus(q.logits) - F.softplus(p.logits))
    tails[q.probs == 1] = math.inf
    tails[p.probs == 1] = 0
    return heads + tails


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Any:
    sum_p, sum_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    t1 = q.concentration1.lgamma() + q.concentration0.lgamma() + sum_p.lgamma()
    t2 = p.concentration1.lgamma() + p.concentration0.lgamma() + sum_q.lgamma()
    t3 = (p.concentration1 - q.concentration1) * torch.digamma(p.concentration1)
    t4 = (p.concentration0 - q.concentration0) * torch.digamma(p.concentration0)
    t5 = (sum_q - sum_p) * torch.digamma(sum_p)
    return t1 - t2 + t3 + t4 + t5


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Any:
    if (p.total_count < q.total_count)._array.any():
        raise errors.kl_binomial()
    divergence = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    more = p.total_count > q.total_count
    divergence[more] = _infinite_like(divergence[more])
    return divergence


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = math.inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Any:
    t1 = p.mean * (p.logits - q.logits)
    t2 = p._log_norm() + torch.log1p(-p.probs)
    t3 = -q._log_norm() - torch.log1p(-q.probs)
    return t1 + t2 + t3


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Any:
    sum_p, sum_q = p.concentration.sum(-1), q.concentration.sum(-1)
    t1 = sum_p.lgamma() - sum_q.lgamma()
    t2 = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    t3 = p.concentration - q.concentration
    t4 = p.concentration.digamma() - sum_p.digamma().unsqueeze(-1)
    return t1 - t2 + (t3 * t4).sum(-1)


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: Any, q: Any) -> Any:
    if type(p) is not type(q):
        raise errors.kl_families()
    natural_p = [parameter.detach().requires_grad_() for parameter in p._natural_params]
    natural_q = q._natural_params
    normalizer = p._log_normalizer(*natural_p)
    slopes = grad(normalizer.sum(), natural_p, create_graph=True)
    result = q._log_normalizer(*natural_q) - normalizer
    for of_p, of_q, slope in zip(natural_p, natural_q, slopes, strict=True):
        result -= sum_rightmost((of_q - of_p) * slope, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Any:
    t1 = q.concentration * (p.rate / q.rate).log()
    t2 = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    t3 = (p.concentration - q.concentration) * torch.digamma(p.concentration)
    t4 = (q.rate - p.rate) * (p.concentration / p.rate)
    return t1 + t2 + t3 + t4


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Any, q: Any) -> Any:
    ratio = p.scale / q.scale
    loc_q, loc_p = q.loc / q.scale, p.loc / q.scale
    t1 = -ratio.log() - loc_q + loc_p
    t2 = ratio * euler_constant
    t3 = torch.exp(loc_q + (1 + ratio).lgamma() - loc_p)
    return t1 + t2 + t3 - (1 + euler_constant)


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Any:
    ratio = p.scale / q.scale
    distance = (p.loc - q.loc).abs()
    t1 = -ratio.log()
    t2 = distance / q.scale
    t3 = ratio * torch.exp(-distance / p.scale)
    return t1 + t2 + t3 - 1


def _half_log_det(distribution: Any) -> Any:
    return distribution._unbroadcasted_scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _lowrank(distribution: Any) -> tuple[Any, Any, Any]:
    return (
        distribution._unbroadcasted_cov_factor,
        distribution._unbroadcasted_cov_diag,
        distribution._capacitance_tril,
    )


def _lowrank_distance(p: Any, q: Any) -> tuple[Any, Any]:
    """The distance of the means under q, and L⁻¹ Wᵀ D⁻¹ of q."""
    factor, diagonal, capacitance = _lowrank(q)
    distance = lowrank_mahalanobis(factor, diagonal, q.loc - p.loc, capacitance)
    scaled = factor.mT / diagonal.unsqueeze(-2)
    return distance, linalg.solve_triangular(capacitance, scaled, upper=False)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _lowrank_lowrank(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise errors.kl_event_shapes("Low Rank Multivariate Normals")
    log_det = lowrank_logdet(*_lowrank(q)) - lowrank_logdet(*_lowrank(p))
    distance, a = _lowrank_distance(p, q)
    factor, diagonal = p._unbroadcasted_cov_factor, p._unbroadcasted_cov_diag
    t1 = (diagonal / q._unbroadcasted_cov_diag).sum(-1)
    t2 = _trace_of_square(factor * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1))
    t3 = _trace_of_square(a * diagonal.sqrt().unsqueeze(-2))
    t4 = _trace_of_square(a.matmul(factor))
    return 0.5 * (log_det + (t1 + t2 - t3 - t4) + distance - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _multivariate_lowrank(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise errors.kl_event_shapes("(Low Rank) Multivariate Normals")
    log_det = lowrank_logdet(*_lowrank(q)) - 2 * _half_log_det(p)
    distance, a = _lowrank_distance(p, q)
    t1 = _trace_of_square(p._unbroadcasted_scale_tril * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1))
    t2 = _trace_of_square(a.matmul(p._unbroadcasted_scale_tril))
    return 0.5 * (log_det + (t1 - t2) + distance - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _lowrank_multivariate(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise errors.kl_event_shapes("(Low Rank) Multivariate Normals")
    log_det = 2 * _half_log_det(q) - lowrank_logdet(*_lowrank(p))
    distance = batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    factor = p._unbroadcasted_cov_factor
    batch = torch.broadcast_shapes(q._unbroadcasted_scale_tril.shape[:-2], factor.shape[:-2])
    n = p.event_shape[0]
    scale_tril = q._unbroadcasted_scale_tril.expand((*batch, n, n))
    factor = factor.expand((*batch, n, factor.size(-1)))
    diagonal = torch.diag_embed(p._unbroadcasted_cov_diag.sqrt()).expand((*batch, n, n))
    t1 = _trace_of_square(linalg.solve_triangular(scale_tril, factor, upper=False))
    t2 = _trace_of_square(linalg.solve_triangular(scale_tril, diagonal, upper=False))
    return 0.5 * (log_det + (t1 + t2) + distance - p.event_shape[0])


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_multivariate(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise errors.kl_event_shapes("Multivariate Normals")
    half_log_det = _half_log_det(q) - _half_log_det(p)
    batch = torch.broadcast_shapes(q._unbroadcasted_scale_tril.shape[:-2], p._unbroadcasted_scale_tril.shape[:-2])
    n = p.event_shape[0]
    scale_q = q._unbroadcasted_scale_tril.expand((*batch, n, n))
    scale_p = p._unbroadcasted_scale_tril.expand((*batch, n, n))
    trace = _trace_of_square(linalg.solve_triangular(scale_q, scale_p, upper=False))
    distance = batch_mahalanobis(q._unbroadcasted_scale_tril, q.loc - p.loc)
    return half_log_det + 0.5 * (trace + distance - n)


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())


@register_kl(Pareto, Pareto)
def _pareto(p: Any, q: Any) -> Any:
    scales, alphas = p.scale / q.scale, q.alpha / p.alpha
    result = q.alpha * scales.log() + -alphas.log() + alphas - 1
    result[p.support.lower_bound < q.support.lower_bound] = math.inf
    return result


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Any:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = math.inf
    return result


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


register_kl(Geometric, Geometric)(lambda p, q: -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits)
register_kl(HalfNormal, HalfNormal)(lambda p, q: _normal(p.base_dist, q.base_dist))
register_kl(OneHotCategorical, OneHotCategorical)(lambda p, q: _categorical(p._categorical, q._categorical))
register_kl(Poisson, Poisson)(lambda p, q: p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate))
register_kl(Cauchy, Cauchy)(
    lambda p, q: ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()
)
