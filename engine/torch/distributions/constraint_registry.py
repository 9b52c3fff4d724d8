"""Maps from unconstrained numbers to a region: `biject_to(constraint)` (invertible), `transform_to(constraint)`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine import errors
from engine.torch.distributions import constraints, transforms
from engine.torch.distributions.utils import is_number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Constraint type → what makes a transform to it."""

    def __init__(self) -> None:
        self._registry: dict[type, Callable[[Any], Any]] = {}

    def register(self, constraint: Any, factory: Callable[[Any], Any] | None = None) -> Any:
        """Declare `factory(constraint)` for a type of constraint; without a factory, a decorator for one."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not isinstance(constraint, type) or not issubclass(constraint, constraints.Constraint):
            raise errors.constraint_type(constraint)
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise errors.constraint_unknown(type(constraint).__name__)
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


_Factory = Callable[[ConstraintRegistry, Any], Any]
"""Makes a transform to a region, of which the registry may be asked for the transforms to its parts."""


def _both(*regions: Any) -> Callable[[_Factory], None]:
    """Declare what makes a transform to regions, whether it has to be invertible or not."""

    def register(factory: _Factory) -> None:
        for registry in (biject_to, transform_to):
            for region in regions:
                registry.register(region, partial(factory, registry))

    return register


def _stretched(first: Any, loc: Any, scale: Any) -> Any:
    return transforms.ComposeTransform([first, transforms.AffineTransform(loc, scale)])


@_both(constraints.interval, constraints.half_open_interval)
def _to_interval(registry: ConstraintRegistry, constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and low == 0 and is_number(high) and high == 1:
        return transforms.SigmoidTransform()
    return _stretched(transforms.SigmoidTransform(), low, high - low)


_both(constraints.real)(lambda to, region: transforms.identity_transform)
_both(constraints.independent)(
    lambda to, region: transforms.IndependentTransform(to(region.base_constraint), region.reinterpreted_batch_ndims)
)
_both(constraints.positive, constraints.nonnegative)(
    lambda to, region: _stretched(transforms.ExpTransform(), region.lower_bound, 1)
)
_both(constraints.less_than)(lambda to, region: _stretched(transforms.ExpTransform(), region.upper_bound, -1))
_both(constraints.corr_cholesky)(lambda to, region: transforms.CorrCholeskyTransform())
_both(constraints.cat)(
    lambda to, region: transforms.CatTransform([to(c) for c in region.cseq], region.dim, region.lengths)
)
_both(constraints.stack)(lambda to, region: transforms.StackTransform([to(c) for c in region.cseq], region.dim))
biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
for _region in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_region, lambda constraint: transforms.PositiveDefiniteTransform())
