"""Choices among several events: categorical, one-hot, multinomial."""

from __future__ import annotations

import math
from typing import Any

from engine import errors
from engine.core.inherited import written_again
from engine.torch.distributions import constraints
from engine.torch.distributions.counts import Binomial
from engine.torch.distributions.distribution import Distribution
from engine.torch.distributions.utils import F, broadcast_all, lazy_property, logits_to_probs, probs_to_logits, torch
from engine.types import dtypes
from engine.types.dtypes import Size

_CHOICE = {"probs": constraints.simplex, "logits": constraints.real_vector}


class Categorical(Distribution):
    """A choice among as many events as the last dimension has, given by `probs` or by `logits`."""

    arg_constraints = _CHOICE
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        if (probs is None) == (logits is None):
            raise errors.probs_or_logits()
        if probs is not None:
            if probs.dim() < 1:
                raise errors.distribution_dimensions("probs")
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            if logits.dim() < 1:
                raise errors.distribution_dimensions("logits")
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._param = self.probs if probs is not None else self.logits
        self._num_events = self._param.size()[-1]
        shape = self._param.size()[:-1] if self._param.ndimension() > 1 else ()
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = super().expand(batch_shape, _instance)
        made._param = made.__dict__.get("probs", made.__dict__.get("logits"))
        made._num_events = self._num_events
        return made

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def logits(self) -> Any:
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self) -> Any:
        return logits_to_probs(self.logits)

    param_shape = property(lambda self: self._param.size())
    mean = property(lambda self: torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype))
    mode = property(lambda self: self.probs.argmax(dim=-1))
    variance = property(lambda self: torch.full(self._extended_shape(), math.nan, dtype=self.probs.dtype))

    def sample(self, sample_shape: Any = ()) -> Any:
        shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = torch.multinomial(rows, math.prod(shape), True).T
        return drawn.reshape(self._extended_shape(shape))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        value = value.long().unsqueeze(-1)
        value, log_pmf = torch.broadcast_tensors(value, self.logits)
        value = value[..., :1]
        return log_pmf.gather(-1, value).squeeze(-1)

    def entropy(self) -> Any:
        logits = torch.clamp(self.logits, min=dtypes.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        return self._enumerated(torch.arange(self._num_events, dtype=dtypes.int64), expand)


@written_again("expand")
class OneHotCategorical(Distribution):
    """A categorical choice as a vector with a single 1."""

    arg_constraints = _CHOICE
    support = constraints.one_hot
    has_enumerate_support = True
    _expanding = ("_categorical",)

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    _param = property(lambda self: self._categorical._param)
    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self._categorical.probs)

    @property
    def mode(self) -> Any:
        probs = self._categorical.probs
        return F.one_hot(probs.argmax(dim=-1), num_classes=probs.shape[-1]).to(probs)

    variance = property(lambda self: self._categorical.probs * (1 - self._categorical.probs))
    param_shape = property(lambda self: self._categorical.param_shape)

    def sample(self, sample_shape: Any = ()) -> Any:
        probs = self._categorical.probs
        return F.one_hot(self._categorical.sample(Size(sample_shape)), self._categorical._num_events).to(probs)

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        value, _ = broadcast_all(value, self._categorical.logits)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Any:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Any:
        n = self.event_shape[0]
        values = torch.eye(n, dtype=self._param.dtype).view((n,) + (1,) * len(self.batch_shape) + (n,))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """One-hot samples whose gradient goes to `probs` as if they were the sample (Bengio et al., 2013)."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Any:
        samples = self.sample(sample_shape)
        probs = self._categorical.probs
        return samples + (probs - probs.detach())


@written_again("expand")
class Multinomial(Distribution):
    """How often each event is chosen in `total_count` categorical choices."""

    arg_constraints = _CHOICE
    _expanding = ("_categorical",)
    _unexpanded = ("total_count", "_binomial")

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        if not isinstance(total_count, int):
            raise errors.multinomial_total_count()
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    param_shape = property(lambda self: self._categorical.param_shape)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape: Any = ()) -> Any:
        samples = self._categorical.sample(Size((self.total_count, *Size(sample_shape))))
        # The choices become the last dimension, and are counted there.
        samples = samples.permute((*range(1, samples.dim()), 0))
        counts = samples.new(self._extended_shape(sample_shape)).zero_()
        counts.scatter_add_(-1, samples, torch.ones_like(samples))
        return counts.type_as(self.probs)

    def entropy(self) -> Any:
        n = torch.tensor(self.total_count)
        categorical = self._categorical.entropy()
        constant = n * categorical - torch.lgamma(n + 1)
        support = self._binomial.enumerate_support(expand=False)[1:]
        probabilities = torch.exp(self._binomial.log_prob(support))
        weights = torch.lgamma(support + 1)
        return constant + (probabilities * weights).sum([0, -1])

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.clone()
        whole = torch.lgamma(value.sum(-1) + 1)
        parts = torch.lgamma(value + 1).sum(-1)
        logits[(value == 0) & (logits == -math.inf)] = 0
        return whole - parts + (logits * value).sum(-1)
