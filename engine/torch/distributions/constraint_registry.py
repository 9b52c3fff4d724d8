"""Maps from unconstrained numbers to a region: `biject_to(constraint)` (invertible), `transform_to(constraint)`."""

from __future__ import annotations

from collections.abc import Callable
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


def _both(*regions: Any) -> Callable[[Any], Any]:
    def register(factory: Any) -> Any:
        for registry in (biject_to, transform_to):
            for region in regions:
                registry.register(region, _for(registry, factory))
        return factory

    return register


def _for(registry: ConstraintRegistry, factory: Any) -> Callable[[Any], Any]:
    return lambda constraint: factory(registry, constraint)


@_both(constraints.real)
def _to_real(registry: Any, constraint: Any) -> Any:
    return transforms.identity_transform


@_both(constraints.independent)
def _to_independent(registry: Any, constraint: Any) -> Any:
    base = registry(constraint.base_constraint)
    return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)


@_both(constraints.positive, constraints.nonnegative)
def _to_positive(registry: Any, constraint: Any) -> Any:
    return _above(constraint)


def _above(constraint: Any) -> Any:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.lower_bound, 1)]
    )


@_both(constraints.less_than)
def _to_less_than(registry: Any, constraint: Any) -> Any:
    return transforms.ComposeTransform(
        [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    )


@_both(constraints.interval, constraints.half_open_interval)
def _to_interval(registry: Any, constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    if is_number(low) and low == 0 and is_number(high) and high == 1:
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform(
        [transforms.SigmoidTransform(), transforms.AffineTransform(loc=low, scale=high - low)]
    )


biject_to.register(constraints.simplex, lambda constraint: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda constraint: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda constraint: transforms.LowerCholeskyTransform())
for _region in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_region, lambda constraint: transforms.PositiveDefiniteTransform())


@_both(constraints.corr_cholesky)
def _to_corr_cholesky(registry: Any, constraint: Any) -> Any:
    return transforms.CorrCholeskyTransform()


@_both(constraints.cat)
def _to_cat(registry: Any, constraint: Any) -> Any:
    parts = [registry(c) for c in constraint.cseq]
    return transforms.CatTransform(parts, constraint.dim, constraint.lengths)


@_both(constraints.stack)
def _to_stack(registry: Any, constraint: Any) -> Any:
    return transforms.StackTransform([registry(c) for c in constraint.cseq], constraint.dim)
