"""`torch.nn.init`: filling parameters in place, outside the graph.

He et al., "Delving deep into rectifiers" (kaiming); Glorot and Bengio, "Understanding the difficulty of training deep
feedforward neural networks" (xavier); Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep
linear neural networks" (orthogonal).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.composites.bindings import bind_module
from engine.core.grad_mode import no_grad
from engine.core.tensor import Tensor
from engine.kernels import random
from engine.kernels.memory_format import drawn_like, in_memory_order
from engine.kernels.solve import check_implemented
from engine.limits import meter

_LINEAR = (
    "linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid",
)  # fmt: skip


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By how much a layer must widen its weights to make up for a nonlinearity."""
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, int | float) and not isinstance(param, bool):
            slope = param
        else:
            raise errors.negative_slope(param)
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise errors.nonlinearity_unknown(nonlinearity)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    if tensor.dim() < 2:
        raise errors.fan_dimensions()
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise errors.fan_mode(mode)
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: random.Generator | None = None) -> Tensor:
    """Numbers from U(a, b)."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: random.Generator | None = None) -> Tensor:
    """Numbers from N(mean, std²)."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: random.Generator | None = None,
) -> Tensor:
    """Numbers from N(mean, std²) within [a, b]: what falls outside is drawn again.

    Where little of the distribution lies inside, candidates come from U(a, b) and are kept with the probability that
    the density gives them.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        errors.warn_trunc_normal()
    source = generator or random.default_generator
    own, dtype = tensor._array, tensor._array.dtype

    def below(x: float) -> float:
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    if below((b - mean) / std) - below((a - mean) / std) > 0.3:
        low, high = dtype.type(a), dtype.type(b)

        def normal(shape: tuple[int, ...], contiguous: bool) -> Any:
            return source.normal(shape, mean, std, dtype, contiguous=contiguous)

        in_place = bool(own.flags.c_contiguous)
        values = in_memory_order(own, lambda shape: normal(shape, in_place))
        while (outside := (values < low) | (values > high)).any():
            meter.charge(4 + (values.size >> 6))
            values = np.where(outside, drawn_like(own, dtype, normal), values)
        return _fill(tensor, values)

    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def uniform(low: float, high: float) -> Any:
        return in_memory_order(own, lambda shape: source.uniform(shape, low, high, dtype))

    def refused(candidates: Any) -> Any:
        density = ((candidates - mean) / std) ** 2 * -0.5 - peak
        return np.log(uniform(0.0, 1.0)) > density

    values = uniform(a, b)
    pending = refused(values)
    while pending.any():
        meter.charge(4 + (values.size >> 6))
        candidates = uniform(a, b)
        values = np.where(pending, candidates, values)
        pending = pending & refused(candidates)
    return _fill(tensor, values)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """One number everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """The identity matrix; for a linear layer that passes as many inputs through as it can."""
    if tensor.ndimension() != 2:
        raise errors.init_two_dimensions()
    return _fill(tensor, np.eye(*tensor.shape, dtype=tensor._array.dtype))


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution kernel (3 to 5 dimensions) that passes as many channels through as it can."""
    if tensor.ndimension() not in (3, 4, 5):
        raise errors.init_kernel_dimensions()
    out_channels, in_channels = tensor.shape[:2]
    if out_channels % groups:
        raise errors.init_groups()
    values = np.zeros(tensor.shape, tensor._array.dtype)
    per_group = out_channels // groups
    centre = tuple(size // 2 for size in tensor.shape[2:])
    for group in range(groups):
        for channel in range(min(per_group, in_channels)):
            values[(group * per_group + channel, channel, *centre)] = 1
    return _fill(tensor, values)


def _fill(tensor: Tensor, values: Any) -> Tensor:
    with no_grad():
        return tensor.copy_(Tensor._from_array(values))


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: random.Generator | None = None) -> Tensor:
    """U(-a, a) with a = gain · √(6 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    std = gain * math.sqrt(2.0 / float(fan_in + fan_out))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: random.Generator | None = None) -> Tensor:
    """N(0, std²) with std = gain · √(2 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: random.Generator | None = None,
) -> Tensor:
    """U(-bound, bound) with bound = gain · √(3 / fan)."""
    if 0 in tensor.shape:
        errors.warn_zero_element_init()
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: random.Generator | None = None,
) -> Tensor:
    """N(0, std²) with std = gain / √fan."""
    if 0 in tensor.shape:
        errors.warn_zero_element_init()
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: random.Generator | None = None) -> Tensor:
    """A (semi-)orthogonal matrix from the QR decomposition of normal numbers."""
    if tensor.ndimension() < 2:
        raise errors.init_two_or_more_dimensions()
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    source = generator or random.default_generator
    flat = source.normal((rows, columns), 0.0, 1.0, tensor._array.dtype)
    check_implemented("geqrf_cpu", flat)
    meter.work(24 * rows * columns * min(rows, columns))
    q, r = np.linalg.qr(flat.T if rows < columns else flat)
    q = q * np.sign(np.diagonal(r))
    values = Tensor._from_array((q.T if rows < columns else q).astype(tensor._array.dtype))
    with no_grad():
        tensor.view(values.shape).copy_(values)
        return tensor.mul_(gain)


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: random.Generator | None = None) -> Tensor:
    """N(0, std²) with a share of `sparsity` of each column set to zero."""
    if tensor.ndimension() != 2:
        raise errors.init_two_dimensions()
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    source = generator or random.default_generator
    own = tensor._array
    values = np.array(
        in_memory_order(
            own, lambda shape: source.normal(shape, 0.0, std, own.dtype, contiguous=bool(own.flags.c_contiguous))
        )
    )
    for column in range(columns):
        values[random.default_generator.permutation(rows)[:zeros], column] = 0
    return _fill(tensor, values)


def _renamed(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def old(*args: Any, **kwargs: Any) -> Tensor:
        errors.warn_renamed(f"nn.init.{name}", f"nn.init.{name}_")
        return function(*args, **kwargs)

    old.__name__ = old.__qualname__ = name
    old.__doc__ = f"The deprecated name of `{name}_`."
    return old


for _name in (
    "uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform kaiming_normal orthogonal sparse"
).split():
    globals()[_name] = _renamed(_name, globals()[f"{_name}_"])

_no_grad_fill_, _no_grad_normal_, _no_grad_trunc_normal_, _no_grad_uniform_, _no_grad_zero_ = (
    constant_, normal_, trunc_normal_, uniform_, zeros_
)  # fmt: skip


bind_module("init", globals())

__all__ = [  # scripts use these private ones
    "_calculate_correct_fan",
    "_calculate_fan_in_and_fan_out",
    *(f"_no_grad_{name}_" for name in ("fill", "normal", "trunc_normal", "uniform", "zero")),
    *(name for name, value in globals().items() if getattr(value, "__module__", "") == __name__ and name[0] != "_"),
]
