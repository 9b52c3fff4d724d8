"""`torch.distributions`: the distributions that policies, autoencoders and Bayesian snippets use.

Each is a plain class over ops, computed in PyTorch's order, so that graphs and random draws are PyTorch's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import dtypes, errors
from engine.modes import enable_grad, no_grad
from engine.surface import FUNCTIONAL, TORCH
from engine.tensor import Tensor

__all__ = [
    "Bernoulli",
    "Categorical",
    "Distribution",
    "Exponential",
    "Laplace",
    "Normal",
    "Uniform",
    "kl_divergence",
]

Size = dtypes.Size


def _broadcast(*values: Any) -> list[Tensor]:
    """Parameters as tensors of one shape; numbers become tensors of the dtype of the others."""
    if all(isinstance(v, Tensor) for v in values):
        return list(TORCH["broadcast_tensors"](*values))
    like = next((v for v in values if isinstance(v, Tensor)), None)
    dtype = dtypes.get_default() if like is None else like.dtype
    made = [v if isinstance(v, Tensor) else TORCH["tensor"](v, dtype=dtype) for v in values]
    return list(TORCH["broadcast_tensors"](*made))


def _clamped(probs: Tensor) -> Tensor:
    eps = dtypes.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)  # type: ignore[no-any-return]


class Distribution:
    """What distributions share: shapes, checks, and sampling without a gradient."""

    __module__ = "torch.distributions.distribution"
    has_rsample = False
    _positive: tuple[str, ...] = ()
    _finite: tuple[str, ...] = ()
    _parameters: tuple[str, ...] = ()

    def __init__(self, batch_shape: Any = (), validate_args: bool | None = None) -> None:
        self._batch_shape = Size(batch_shape)
        if validate_args is not False:
            for name in self._positive:
                self._require(name, getattr(self, name) > 0, "GreaterThan(lower_bound=0.0)")
            for name in self._finite:
                value = getattr(self, name)
                self._require(name, value == value, "Real()")

    def _require(self, name: str, valid: Tensor, constraint: str) -> None:
        if not valid._a.all():
            raise errors.distribution_parameter(
                name,
                type(getattr(self, name)).__name__,
                tuple(valid._a.shape),
                repr(self),
                constraint,
                getattr(self, name),
            )

    @property
    def batch_shape(self) -> Any:
        return self._batch_shape

    @property
    def event_shape(self) -> Any:
        return Size(())

    def _extended(self, sample_shape: Any = ()) -> Any:
        return Size(tuple(sample_shape) + tuple(self._batch_shape))

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws outside the graph."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws as a differentiable function of the parameters."""
        raise NotImplementedError

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, at `value`."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy in nats."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        return self.sample((n,))

    @property
    def stddev(self) -> Tensor:
        return self.variance.sqrt()  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = []
        for name in self._parameters:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value._a.size == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(shown)})"


class Normal(Distribution):
    """The normal distribution with mean `loc` and standard deviation `scale`."""

    __module__ = "torch.distributions.normal"
    has_rsample = True
    _parameters = ("loc", "scale")
    _finite = ("loc",)
    _positive = ("scale",)

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        numbers = not isinstance(loc, Tensor) and not isinstance(scale, Tensor)
        self.loc, self.scale = _broadcast(loc, scale)
        super().__init__(() if numbers else self.loc.size(), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.scale.pow(2)  # type: ignore[no-any-return]

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended(sample_shape)
        with no_grad():
            return TORCH["normal"](self.loc.expand(shape), self.scale.expand(shape))  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended(sample_shape)
        with no_grad():
            zeros = TORCH["zeros"](shape, dtype=self.loc.dtype)
            noise = TORCH["normal"](zeros, TORCH["ones"](shape, dtype=self.loc.dtype))
        return self.loc + noise * self.scale  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        variance = self.scale**2
        log_scale: Tensor = self.scale.log()
        return -((value - self.loc) ** 2) / (2 * variance) - log_scale - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of a value not above `value`."""
        return 0.5 * (1 + TORCH["erf"]((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + TORCH["log"](self.scale)  # type: ignore[no-any-return]


class Laplace(Distribution):
    """The Laplace distribution with mean `loc` and scale `scale`."""

    __module__ = "torch.distributions.laplace"
    has_rsample = True
    _parameters = ("loc", "scale")
    _finite = ("loc",)
    _positive = ("scale",)

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        numbers = not isinstance(loc, Tensor) and not isinstance(scale, Tensor)
        self.loc, self.scale = _broadcast(loc, scale)
        super().__init__(() if numbers else self.loc.size(), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale.pow(2)  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended(sample_shape)
        info = dtypes.finfo(self.loc.dtype)
        u = self.loc.new(shape).uniform_(info.eps - 1, 1)
        return self.loc - self.scale * u.sign() * TORCH["log1p"](-u.abs())  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        return -TORCH["log"](2 * self.scale) - TORCH["abs"](value - self.loc) / self.scale  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 1 + TORCH["log"](2 * self.scale)  # type: ignore[no-any-return]


class Uniform(Distribution):
    """The uniform distribution on [low, high)."""

    __module__ = "torch.distributions.uniform"
    has_rsample = True
    _parameters = ("low", "high")

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        numbers = not isinstance(low, Tensor) and not isinstance(high, Tensor)
        self.low, self.high = _broadcast(low, high)
        super().__init__(() if numbers else self.low.size(), validate_args)
        if validate_args is not False:
            self._require("low", self.low < self.high, f"LessThan(upper_bound={self.high})")

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low).pow(2) / 12  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        rand = TORCH["rand"](self._extended(sample_shape), dtype=self.low.dtype)
        return self.low + rand * (self.high - self.low)  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        inside_low = self.low.le(value).type_as(self.low)
        inside_high = self.high.gt(value).type_as(self.low)
        return TORCH["log"](inside_low.mul(inside_high)) - TORCH["log"](self.high - self.low)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return TORCH["log"](self.high - self.low)  # type: ignore[no-any-return]


class Exponential(Distribution):
    """The exponential distribution with rate `rate`."""

    __module__ = "torch.distributions.exponential"
    has_rsample = True
    _parameters = ("rate",)
    _positive = ("rate",)

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        number = not isinstance(rate, Tensor)
        (self.rate,) = _broadcast(rate)
        super().__init__(() if number else self.rate.size(), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.rate.reciprocal()  # type: ignore[no-any-return]

    @property
    def variance(self) -> Tensor:
        return self.rate.pow(-2)  # type: ignore[no-any-return]

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.rate.new(self._extended(sample_shape)).exponential_() / self.rate  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        return self.rate.log() - self.rate * value  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return 1.0 - TORCH["log"](self.rate)  # type: ignore[no-any-return]


class Categorical(Distribution):
    """A choice among as many events as the last dimension has, given by `probs` or by `logits`."""

    __module__ = "torch.distributions.categorical"
    _parameters = ("probs", "logits")

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        if (probs is None) == (logits is None):
            raise errors.probs_or_logits()
        given = probs if probs is not None else logits
        if given.dim() < 1:
            raise errors.distribution_dimensions("probs" if probs is not None else "logits")
        if probs is not None:
            if validate_args is not False:
                self._check(probs)
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        parameter = self.probs if probs is not None else self.logits
        self._num_events = parameter.size()[-1]
        super().__init__(parameter.size()[:-1], validate_args)

    def _check(self, probs: Tensor) -> None:
        bad = (probs._a < 0).any() or (abs(probs._a.sum(-1) - 1) > 1e-6).any() and not (probs._a >= 0).all()
        if bad:
            raise errors.distribution_parameter(
                "probs", "Tensor", tuple(probs._a.shape), f"Categorical(probs: {probs.size()})", "Simplex()", probs
            )

    def __getattr__(self, name: str) -> Any:
        # Computed when first asked for, and always recorded, as PyTorch does.
        with enable_grad():
            if name == "logits":
                self.logits = TORCH["log"](_clamped(self.__dict__["probs"]))
                return self.logits
            if name == "probs":
                self.probs = FUNCTIONAL["softmax"](self.__dict__["logits"], dim=-1)
                return self.probs
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def param_shape(self) -> Any:
        return (self.__dict__.get("probs") if "probs" in self.__dict__ else self.logits).size()  # type: ignore[union-attr]

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)  # type: ignore[no-any-return]

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = Size(sample_shape)
        rows = self.probs.reshape(-1, self._num_events)
        drawn = TORCH["multinomial"](rows, math.prod(shape), True).T
        return drawn.reshape(self._extended(shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        value = value.long().unsqueeze(-1)
        value, log_probabilities = TORCH["broadcast_tensors"](value, self.logits)
        value = value[..., :1]
        return log_probabilities.gather(-1, value).squeeze(-1)  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        logits = TORCH["clamp"](self.logits, min=dtypes.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)  # type: ignore[no-any-return]


class Bernoulli(Distribution):
    """A coin that shows 1 with probability `probs`, or with log-odds `logits`."""

    __module__ = "torch.distributions.bernoulli"
    _parameters = ("probs", "logits")

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        if (probs is None) == (logits is None):
            raise errors.probs_or_logits()
        given = probs if probs is not None else logits
        (parameter,) = _broadcast(given)
        if probs is not None:
            self.probs = parameter
            if validate_args is not False and ((parameter._a < 0) | (parameter._a > 1)).any():
                raise errors.distribution_parameter(
                    "probs",
                    "Tensor",
                    tuple(parameter._a.shape),
                    repr(self),
                    "Interval(lower_bound=0.0, upper_bound=1.0)",
                    parameter,
                )
        else:
            self.logits = parameter
        super().__init__(parameter.size() if isinstance(given, Tensor) else (), validate_args)

    def __getattr__(self, name: str) -> Any:
        with enable_grad():
            if name == "logits":
                clamped = _clamped(self.__dict__["probs"])
                self.logits = TORCH["log"](clamped) - TORCH["log1p"](-clamped)
                return self.logits
            if name == "probs":
                self.probs = TORCH["sigmoid"](self.__dict__["logits"])
                return self.probs
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended(sample_shape)
        with no_grad():
            return TORCH["bernoulli"](self.probs.expand(shape))  # type: ignore[no-any-return]

    def log_prob(self, value: Tensor) -> Tensor:
        logits, value = _broadcast(self.logits, value)
        return -FUNCTIONAL["binary_cross_entropy_with_logits"](logits, value, reduction="none")  # type: ignore[no-any-return]

    def entropy(self) -> Tensor:
        return FUNCTIONAL["binary_cross_entropy_with_logits"](self.logits, self.probs, reduction="none")  # type: ignore[no-any-return]


def _kl_normal(p: Normal, q: Normal) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    distance = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + distance - 1 - ratio.log())  # type: ignore[no-any-return]


def _kl_categorical(p: Categorical, q: Categorical) -> Tensor:
    t = p.probs * (p.logits - q.logits)
    t[(q.probs == 0).expand_as(t)] = math.inf
    t[(p.probs == 0).expand_as(t)] = 0
    return t.sum(-1)  # type: ignore[no-any-return]


def _kl_exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return ratio - ratio.log() - 1  # type: ignore[no-any-return]


_KL: dict[tuple[type, type], Callable[[Any, Any], Tensor]] = {
    (Normal, Normal): _kl_normal,
    (Categorical, Categorical): _kl_categorical,
    (Exponential, Exponential): _kl_exponential,
}


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The Kullback-Leibler divergence of `q` from `p`. NotImplementedError for pairs without a formula."""
    formula = _KL.get((type(p), type(q)))
    if formula is None:
        raise errors.kl_unknown(type(p).__name__, type(q).__name__)
    return formula(p, q)
