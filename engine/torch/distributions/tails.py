"""The generalised Pareto distribution: what lies above a high threshold."""

from __future__ import annotations

import math
from typing import Any

from engine.torch.distributions import constraints
from engine.torch.distributions.distribution import Distribution, shape_of
from engine.torch.distributions.utils import broadcast_all, torch


class GeneralizedPareto(Distribution):
    """Numbers above `loc`; `concentration` says how heavy the tail is."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        shape = shape_of(loc, scale, concentration, parameter=self.loc)
        super().__init__(shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        upper = torch.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, upper)

    def _exponential(self) -> tuple[Any, Any]:
        """Where the tail is exponential, and a concentration that is not 0 there."""
        zero = torch.isclose(self.concentration, torch.tensor(0.0, dtype=self.concentration.dtype))
        return zero, torch.where(zero, torch.ones_like(self.concentration), self.concentration)

    def rsample(self, sample_shape: Any = ()) -> Any:
        return self.icdf(torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def log_prob(self, value: Any) -> Any:
        self._check_sample(value)
        z = (value - self.loc) / self.scale
        zero, concentration = self._exponential()
        y = 1 / concentration + torch.ones_like(z)
        power = torch.where(y == 0, y, y * torch.log1p(concentration * z))
        return -self.scale.log() - torch.where(zero, z, power)

    def log_survival_function(self, value: Any) -> Any:
        """The logarithm of the probability of a sample above `value`."""
        self._check_sample(value)
        z = (value - self.loc) / self.scale
        zero, concentration = self._exponential()
        return torch.where(zero, -z, -torch.log1p(concentration * z) / concentration)

    def log_cdf(self, value: Any) -> Any:
        """The logarithm of `cdf`."""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Any:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Any:
        zero, concentration = self._exponential()
        log_above = torch.log1p(-value)
        power = self.loc + self.scale / concentration * torch.expm1(-concentration * log_above)
        return torch.where(zero, self.loc - self.scale * log_above, power)

    @property
    def mean(self) -> Any:
        valid = self.concentration < 1
        safe = torch.where(valid, self.concentration, 0.5)
        result = self.loc + self.scale / (1 - safe)
        return torch.where(valid, result, torch.full_like(result, math.nan))

    @property
    def variance(self) -> Any:
        valid = self.concentration < 0.5
        safe = torch.where(valid, self.concentration, 0.25)
        result = self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe))
        return torch.where(valid, result, torch.full_like(result, math.nan))

    mode = property(lambda self: self.loc)

    def entropy(self) -> Any:
        result = torch.log(self.scale) + self.concentration + 1
        return torch.broadcast_to(result, self._batch_shape)
