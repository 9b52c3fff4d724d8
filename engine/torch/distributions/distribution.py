"""What distributions share: shapes, checks, and sampling without a gradient."""

from __future__ import annotations

from typing import Any

from engine import errors, settings
from engine.autograd.api import grad
from engine.core.batch import whole
from engine.core.grad_mode import enable_grad, no_grad
from engine.core.state import unobserved
from engine.core.tensor import Tensor
from engine.torch.distributions import constraints
from engine.torch.distributions.utils import is_number, lazy_property, torch
from engine.types.dtypes import Size


class Distribution:
    """A batch of distributions: `batch_shape` of them, each over events of `event_shape`.

    Subclasses give `arg_constraints` (parameter → constraint) and `support`, from which follow the checks, the text of
    `repr` and `expand`.
    """

    has_rsample = False
    has_enumerate_support = False
    _validate_args = True
    _expanding: tuple[str, ...] = ()  # what it is made of besides, which expands with the batch
    _unexpanded: tuple[str, ...] = ()  # what stays as it is

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions made from now on check their arguments. ValueError unless it is a bool."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape: Any = (), event_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            with unobserved():
                self._check_parameters()

    def _check_parameters(self) -> None:
        try:
            regions = self.arg_constraints
        except NotImplementedError:
            errors.warn_no_arg_constraints(type(self))
            return
        for name, constraint in regions.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue
            value = getattr(self, name)
            if not whole(constraint.check(value)).all():
                raise errors.distribution_parameter(
                    name, type(value).__name__, tuple(value.shape), repr(self), repr(constraint), value
                )

    @property
    def batch_shape(self) -> Any:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        """The shape of one sample of one distribution."""
        return self._event_shape

    @property
    def arg_constraints(self) -> Any:
        """Parameter → the constraint it has to satisfy."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """The constraint that samples satisfy."""
        raise NotImplementedError

    @property
    def mean(self) -> Any:
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Any:
        raise NotImplementedError

    stddev = property(lambda self: self.variance.sqrt())

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distributions over a larger batch, sharing memory; what the constraints call an event stays."""
        if _engine_class(type(self)) in (Distribution, ExponentialFamily):
            raise NotImplementedError
        made = self._blank(_instance)
        shape = Size(batch_shape)
        for name, constraint in self.arg_constraints.items():
            if name in self.__dict__:
                value = self.__dict__[name]
                kept = value.shape[value.dim() - constraint.event_dim :] if constraint.event_dim else ()
                made.__dict__[name] = value.expand(shape + tuple(kept))
        made.__dict__.update({name: self.__dict__[name].expand(shape) for name in self._expanding})
        made.__dict__.update({name: self.__dict__[name] for name in self._unexpanded})
        return self._finish(made, shape)

    def _blank(self, instance: Any = None) -> Any:
        """A new object of the same class without its `__init__`, which `expand` fills."""
        kind = type(self)
        if instance is None and kind.__init__ is not _engine_class(kind).__init__:
            raise errors.distribution_expand(kind.__name__, _engine_class(kind).__name__)
        return kind.__new__(kind) if instance is None else instance

    def _finish(self, made: Any, batch_shape: Any, event_shape: Any = None) -> Any:
        Distribution.__init__(made, batch_shape, self._event_shape if event_shape is None else event_shape, False)
        made._validate_args = self._validate_args
        return made

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draws outside the graph: sample_shape + batch_shape + event_shape."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draws as a differentiable function of the parameters."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Any:
        """`n` draws (deprecated)."""
        errors.warn_sample_n()
        return self.sample(Size((n,)))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density, or of the probability, at `value`."""
        raise NotImplementedError

    def cdf(self, value: Any) -> Any:
        """The probability of a sample not above `value`."""
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """The value that a sample is below with this probability."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """All values that a discrete distribution takes, along a first dimension."""
        raise NotImplementedError

    def entropy(self) -> Any:
        """The entropy in nats."""
        raise NotImplementedError

    def perplexity(self) -> Any:
        """e to the power of the entropy."""
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape: Any = ()) -> Any:
        return Size(tuple(sample_shape) + tuple(self._batch_shape) + tuple(self._event_shape))

    def _enumerated(self, values: Any, expand: bool) -> Any:
        """A row of values as the support of each distribution of the batch."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + tuple(self._batch_shape)) if expand else values

    def _check_sample(self, value: Any) -> None:
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise errors.sample_type()
        start = value.dim() - len(self._event_shape)
        actual, expected = tuple(value.shape), (*self._batch_shape, *self._event_shape)
        if actual[start:] != tuple(self._event_shape):
            raise errors.sample_event_shape(value.shape, self._event_shape)
        for i, j in zip(reversed(actual), reversed(expected), strict=False):
            if i != 1 and j != 1 and i != j:
                raise errors.sample_broadcast(value.shape, Size(expected))
        try:
            support = self.support
        except NotImplementedError:
            errors.warn_no_support(type(self))
            return
        with unobserved():
            if not whole(support.check(value)).all():
                raise errors.sample_outside(type(value).__name__, tuple(value.shape), repr(support), repr(self), value)

    def __repr__(self) -> str:
        held = [(name, self.__dict__[name]) for name in self.arg_constraints if name in self.__dict__]
        shown = ", ".join(f"{name}: {value if value.numel() == 1 else value.size()}" for name, value in held)
        return f"{type(self).__name__}({shown})"


def _engine_class(kind: type) -> Any:
    """The class of ours that a user's class derives from; the class itself if it is ours."""
    return next(base for base in kind.__mro__ if base.__module__.startswith("torch.distributions"))


settings.variable(Distribution, "_validate_args")


class ExponentialFamily(Distribution):
    """Densities of the form exp(θ·t(x) − A(θ) + k(x)): entropy and divergence follow from A and its slope."""

    @property
    def _natural_params(self) -> Any:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def entropy(self) -> Any:
        result = -self._mean_carrier_measure
        natural = [parameter.detach().requires_grad_() for parameter in self._natural_params]
        with enable_grad():
            normalizer = self._log_normalizer(*natural)
            slopes = grad(normalizer.sum(), natural, create_graph=True)
        result += normalizer
        for parameter, slope in zip(natural, slopes, strict=True):
            result -= (parameter * slope).reshape((*self._batch_shape, -1)).sum(-1)
        return result


def shape_of(*given: Any, parameter: Any) -> Any:
    """The batch shape of a parameter: () if everything was given as a plain number."""
    return Size(()) if all(is_number(value) for value in given) else parameter.size()
