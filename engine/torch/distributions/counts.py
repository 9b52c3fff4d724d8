"""Coins and counts: Bernoulli, binomial, geometric, negative binomial, Poisson; and the continuous Bernoulli."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.core.batch import whole
from engine.core.grad_mode import no_grad
from engine.core.inherited import written_again, written_into_each
from engine.core.state import unobserved
from engine.torch.distributions import constraints
from engine.torch.distributions.distribution import Distribution, ExponentialFamily, shape_of
from engine.torch.distributions.gamma import Gamma
from engine.torch.distributions.utils import (
    F,
    broadcast_all,
    clamp_probs,
    is_number,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
    torch,
)
from engine.types import dtypes

_COIN = {"probs": constraints.unit_interval, "logits": constraints.real}


def _bce(logits: Any, probs: Any) -> Any:
    return F.binary_cross_entropy_with_logits(logits, probs, reduction="none")


def _choose(probs: Any, logits: Any) -> tuple[str, Any]:
    """Which of the two was given, and its value. ValueError unless it is one."""
    if (probs is None) == (logits is None):
        raise errors.probs_or_logits()
    return ("probs", probs) if probs is not None else ("logits", logits)


@written_into_each
class _Binary(Distribution):
    """`probs` or `logits` of an event, whichever is given; the other is computed when asked for."""

    @lazy_property
    def logits(self) -> Any:
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self) -> Any:
        return logits_to_probs(self.logits, is_binary=True)

    def _set(self, name: str, given: Any) -> Any:
        (value,) = broadcast_all(given)
        setattr(self, name, value)
        return shape_of(given, parameter=value)

    _param = property(lambda self: self.__dict__["probs" if "probs" in self.__dict__ else "logits"])


@written_into_each
class _Shaped(_Binary):
    param_shape = property(lambda self: self._param.size())


class Bernoulli(_Shaped, ExponentialFamily):
    """A coin that shows 1 with probability `probs`, or with log-odds `logits`."""

    arg_constraints = _COIN
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        super().__init__(self._set(*_choose(probs, logits)), validate_args=validate_args)

    mean = property(lambda self: self.probs)

    @property
    def mode(self) -> Any:
        mode = (self.probs >= 0.5).to(self.probs)
        mode[self.probs == 0.5] = math.nan
        return mode

    variance = property(lambda self: self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_bce(logits, value)

    def entropy(self) -> Any:
        return _bce(self.logits, self.probs)

    def enumerate_support(self, expand: bool = True) -> Any:
        return self._enumerated(torch.arange(2, dtype=self._param.dtype), expand)

    _natural_params = property(lambda self: (torch.logit(self.probs),))

    def _log_normalizer(self, *natural_params: Any) -> Any:
        return torch.log1p(torch.exp(natural_params[0]))


class Geometric(_Binary):
    """Failures before the first success."""

    arg_constraints = _COIN
    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        super().__init__(self._set(*_choose(probs, logits)), validate_args=validate_args)
        if self._validate_args and probs is not None:
            with unobserved():
                valid = self.probs > 0
                if not whole(valid).all():
                    raise errors.geometric_parameter(tuple(valid.shape), repr(self), self.probs.detach()[~valid])

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: torch.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape: Any = ()) -> Any:
        tiny = dtypes.finfo(self.probs.dtype).tiny
        with no_grad():
            u = self.probs.new(self._extended_shape(sample_shape)).uniform_(tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.clone()
        probs[(probs == 1) & (value == 0)] = 0
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self) -> Any:
        return _bce(self.logits, self.probs) / self.probs


@written_into_each
class _Trials(_Shaped):
    """Counts with a `total_count` beside the probability."""

    def _begin(self, total_count: Any, probs: Any, logits: Any, validate_args: bool | None) -> None:
        name, given = _choose(probs, logits)
        count, value = broadcast_all(total_count, given)
        self.total_count = count.type_as(value)
        setattr(self, name, value)
        super().__init__(value.size(), validate_args=validate_args)


class Binomial(_Trials):
    """Successes among `total_count` trials."""

    arg_constraints = {"total_count": constraints.nonnegative_integer, **_COIN}
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._begin(total_count, probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        whole = torch.lgamma(self.total_count + 1)
        taken = torch.lgamma(value + 1)
        left = torch.lgamma(self.total_count - value + 1)
        # max(logits, 0), with half a slope at 0
        positive = (self.logits.clamp(min=0) + self.logits - self.logits.clamp(max=0)) / 2
        normalizer = (
            self.total_count * positive + self.total_count * torch.log1p(torch.exp(-torch.abs(self.logits))) - whole
        )
        return value * self.logits - taken - left - normalizer

    def _count(self, asking: str) -> int:
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise errors.counts_differ(asking)
        return count

    def entropy(self) -> Any:
        self._count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        values = torch.arange(1 + self._count("enumerate_support"), dtype=self._param.dtype)
        return self._enumerated(values, expand)


class NegativeBinomial(_Trials):
    """Successes before `total_count` failures."""

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._begin(total_count, probs, logits, validate_args)

    mean = property(lambda self: self.total_count * torch.exp(self.logits))
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))
    variance = property(lambda self: self.mean / torch.sigmoid(-self.logits))

    @lazy_property
    def _gamma(self) -> Any:
        return Gamma(concentration=self.total_count, rate=torch.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            return torch.poisson(self._gamma.sample(sample_shape=sample_shape))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        density = self.total_count * F.logsigmoid(-self.logits) + value * F.logsigmoid(self.logits)
        normalizer = (
            -torch.lgamma(self.total_count + value) + torch.lgamma(1.0 + value) + torch.lgamma(self.total_count)
        )
        normalizer = normalizer.masked_fill(self.total_count + value == 0.0, 0.0)
        return density - normalizer


class Poisson(ExponentialFamily):
    """Counts of mean `rate`."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of(rate, parameter=self.rate), validate_args=validate_args)

    mean = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())
    variance = property(lambda self: self.rate)

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    _natural_params = property(lambda self: (torch.log(self.rate),))

    def _log_normalizer(self, *natural_params: Any) -> Any:
        return torch.exp(natural_params[0])


@written_again("expand")
class ContinuousBernoulli(_Shaped, ExponentialFamily):
    """Numbers in [0, 1] of density proportional to p^x (1 − p)^(1 − x) (Loaiza-Ganem and Cunningham, 2019)."""

    arg_constraints = _COIN
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0
    _unexpanded = ("_lims",)

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        name, given = _choose(probs, logits)
        shape = self._set(name, given)
        if probs is not None:
            if validate_args is not None and not whole(_COIN["probs"].check(self.probs))._array.all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(() if is_number(given) else shape, validate_args=validate_args)

    @lazy_property
    def probs(self) -> Any:
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _stable(self) -> Any:
        """Whether probs is far enough from 1/2 for the exact formulas."""
        return torch.max(torch.le(self.probs, self._lims[0]), torch.gt(self.probs, self._lims[1]))

    def _cut(self) -> Any:
        return torch.where(self._stable(), self.probs, self._lims[0] * torch.ones_like(self.probs))

    def _log_norm(self) -> Any:
        cut = self._cut()
        below = torch.where(torch.le(cut, 0.5), cut, torch.zeros_like(cut))
        above = torch.where(torch.ge(cut, 0.5), cut, torch.ones_like(cut))
        exact = torch.log(torch.abs(torch.log1p(-cut) - torch.log(cut))) - torch.where(
            torch.le(cut, 0.5), torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0)
        )
        x = torch.pow(self.probs - 0.5, 2)
        taylor = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return torch.where(self._stable(), exact, taylor)

    @property
    def mean(self) -> Any:
        cut = self._cut()
        exact = cut / (2.0 * cut - 1.0) + 1.0 / (torch.log1p(-cut) - torch.log(cut))
        x = self.probs - 0.5
        taylor = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * torch.pow(x, 2)) * x
        return torch.where(self._stable(), exact, taylor)

    stddev = property(lambda self: torch.sqrt(self.variance))

    @property
    def variance(self) -> Any:
        cut = self._cut()
        exact = cut * (cut - 1.0) / torch.pow(1.0 - 2.0 * cut, 2) + 1.0 / torch.pow(
            torch.log1p(-cut) - torch.log(cut), 2
        )
        x = torch.pow(self.probs - 0.5, 2)
        taylor = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return torch.where(self._stable(), exact, taylor)

    def sample(self, sample_shape: Any = ()) -> Any:
        u = torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype)
        with no_grad():
            return self.icdf(u)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_bce(logits, value) + self._log_norm()

    def cdf(self, value: Any) -> Any:
        self._check_sample(value)
        cut = self._cut()
        exact = (torch.pow(cut, value) * torch.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        inside = torch.where(self._stable(), exact, value)
        low = torch.where(torch.le(value, 0.0), torch.zeros_like(value), inside)
        return torch.where(torch.ge(value, 1.0), torch.ones_like(value), low)

    def icdf(self, value: Any) -> Any:
        cut = self._cut()
        exact = (torch.log1p(-cut + value * (2.0 * cut - 1.0)) - torch.log1p(-cut)) / (
            torch.log(cut) - torch.log1p(-cut)
        )
        return torch.where(self._stable(), exact, value)

    def entropy(self) -> Any:
        log_probs0 = torch.log1p(-self.probs)
        log_probs1 = torch.log(self.probs)
        return self.mean * (log_probs0 - log_probs1) - self._log_norm() - log_probs0

    _natural_params = property(lambda self: (self.logits,))

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        far = torch.max(torch.le(x, self._lims[0] - 0.5), torch.gt(x, self._lims[1] - 0.5))
        cut = torch.where(far, x, (self._lims[0] - 0.5) * torch.ones_like(x))
        exact = torch.log(torch.abs(torch.expm1(cut))) - torch.log(torch.abs(cut))
        taylor = 0.5 * x + torch.pow(x, 2) / 24.0 - torch.pow(x, 4) / 2880.0
        return torch.where(far, exact, taylor)
