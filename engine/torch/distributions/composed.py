"""Distributions made of others: reinterpreted batches, transformed samples, mixtures."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.grad_mode import no_grad
from engine.torch.distributions import constraints
from engine.torch.distributions.categorical import Categorical
from engine.torch.distributions.composing import ComposeTransform, Transform
from engine.torch.distributions.distribution import Distribution
from engine.torch.distributions.utils import sum_rightmost, torch
from engine.types.dtypes import Size


class Independent(Distribution):
    """A distribution whose last batch dimensions belong to the event."""

    arg_constraints: Any = {}

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        batch = len(base_distribution.batch_shape)
        if reinterpreted_batch_ndims > batch:
            raise errors.independent_ndims(reinterpreted_batch_ndims, batch)
        shape = base_distribution.batch_shape + base_distribution.event_shape
        cut = batch - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made.base_dist = self.base_dist.expand(shape + self.event_shape[: self.reinterpreted_batch_ndims])
        made.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims
        return self._finish(made, shape)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return bool(self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self) -> bool:  # type: ignore[override]
        return self.reinterpreted_batch_ndims == 0 and bool(self.base_dist.has_enumerate_support)

    @constraints.dependent_property
    def support(self) -> Any:
        support = self.base_dist.support
        n = self.reinterpreted_batch_ndims
        return constraints.independent(support, n) if n else support

    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """Samples of a distribution, sent through transforms."""

    arg_constraints: Any = {}

    def __init__(self, base_distribution: Any, transforms: Any, validate_args: bool | None = None) -> None:
        if isinstance(transforms, Transform):
            self.transforms = [transforms]
        elif isinstance(transforms, list):
            if not all(isinstance(t, Transform) for t in transforms):
                raise errors.transforms_type(transforms)
            self.transforms = transforms
        else:
            raise errors.transforms_type(transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        base_event_dim = len(base_distribution.event_shape)
        whole = ComposeTransform(self.transforms)
        if len(base_shape) < whole.domain.event_dim:
            raise errors.transformed_shape(whole.domain.event_dim, base_shape)
        shape = whole.forward_shape(base_shape)
        needed = whole.inverse_shape(shape)
        if base_shape != needed:
            base_distribution = base_distribution.expand(needed[: len(needed) - base_event_dim])
        more = whole.domain.event_dim - base_event_dim
        self.base_dist: Any = Independent(base_distribution, more) if more > 0 else base_distribution
        change = whole.codomain.event_dim - whole.domain.event_dim
        event_dim = max(whole.codomain.event_dim, base_event_dim + change)
        cut = len(shape) - event_dim
        super().__init__(shape[:cut], shape[cut:], validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made.transforms = self.transforms
        whole = ComposeTransform(self.transforms).inverse_shape(tuple(shape) + tuple(self.event_shape))
        made.base_dist = self.base_dist.expand(whole[: len(whole) - len(self.base_dist.event_shape)])
        return self._finish(made, shape)

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        more = len(self.event_shape) - support.event_dim
        return constraints.independent(support, more) if more > 0 else support

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return bool(self.base_dist.has_rsample)

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            x = self.base_dist.sample(sample_shape)
            for transform in self.transforms:
                x = transform(x)
            return x

    def rsample(self, sample_shape: Any = ()) -> Any:
        x = self.base_dist.rsample(sample_shape)
        for transform in self.transforms:
            x = transform(x)
        return x

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        event_dim = len(self.event_shape)
        log_prob: Any = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            stretch = transform.log_abs_det_jacobian(x, y)
            log_prob = log_prob - sum_rightmost(stretch, event_dim - transform.domain.event_dim)
            y = x
        return log_prob + sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

    def _turned(self, value: Any) -> Any:
        """A probability, or its complement where the transforms turn the order around."""
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        for transform in self.transforms[::-1]:
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        value = self.base_dist.icdf(self._turned(value))
        for transform in self.transforms:
            value = transform(value)
        return value


class MixtureSameFamily(Distribution):
    """A choice among the distributions along the last batch dimension."""

    arg_constraints: Any = {}
    has_rsample = False

    def __init__(
        self, mixture_distribution: Any, component_distribution: Any, validate_args: bool | None = None
    ) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise errors.mixture_type()
        if not isinstance(component_distribution, Distribution):
            raise errors.component_type()
        mixture, components = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        for size1, size2 in zip(reversed(mixture), reversed(components), strict=False):
            if size1 != 1 and size2 != 1 and size1 != size2:
                raise errors.mixture_batches(mixture, components)
        km, kc = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if km is not None and kc is not None and km != kc:
            raise errors.mixture_components(km, kc)
        self._num_component = km
        event_shape = component_distribution.event_shape
        self._event_ndims = len(event_shape)
        super().__init__(components, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        made = self._blank(_instance)
        shape = Size(batch_shape)
        made._component_distribution = self._component_distribution.expand((*shape, self._num_component))
        made._mixture_distribution = self._mixture_distribution.expand(shape)
        made._num_component, made._event_ndims = self._num_component, self._event_ndims
        return self._finish(made, shape, made._component_distribution.event_shape)

    @constraints.dependent_property
    def support(self) -> Any:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    def _weights(self) -> Any:
        probs = self._mixture_distribution.probs
        missing = len(self.batch_shape) - len(self._mixture_distribution.batch_shape)
        xs = probs.shape
        return probs.reshape(xs[:-1] + Size(missing * [1]) + xs[-1:] + Size(self._event_ndims * [1]))

    def _pad(self, x: Any) -> Any:
        return x.unsqueeze(-1 - self._event_ndims)

    @property
    def mean(self) -> Any:
        return torch.sum(self._weights() * self._component_distribution.mean, dim=-1 - self._event_ndims)

    @property
    def variance(self) -> Any:
        probs, dim = self._weights(), -1 - self._event_ndims
        within = torch.sum(probs * self._component_distribution.variance, dim=dim)
        between = torch.sum(probs * (self._component_distribution.mean - self._pad(self.mean)).pow(2.0), dim=dim)
        return within + between

    def cdf(self, x: Any) -> Any:
        cdf = self._component_distribution.cdf(self._pad(x))
        return torch.sum(cdf * self._mixture_distribution.probs, dim=-1)

    def log_prob(self, x: Any) -> Any:
        self._check_sample(x)
        log_prob = self._component_distribution.log_prob(self._pad(x))
        log_weights = torch.log_softmax(self._mixture_distribution.logits, dim=-1)
        return torch.logsumexp(log_prob + log_weights, dim=-1)

    def sample(self, sample_shape: Any = ()) -> Any:
        with no_grad():
            dim = len(sample_shape) + len(self.batch_shape)
            event = self.event_shape
            chosen = self._mixture_distribution.sample(sample_shape)
            shape = chosen.shape
            samples = self._component_distribution.sample(sample_shape)
            index = chosen.reshape(shape + Size([1] * (len(event) + 1)))
            index = index.repeat(Size([1] * len(shape)) + Size([1]) + event)
            return torch.gather(samples, dim, index).squeeze(dim)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
