"""Second derivatives of batch norm and layer norm, in the steps in which PyTorch takes them.

With c = x − μ and 1/σ taken for numbers, the gradient of a normalisation of n elements is

    ∂x = γ/(nσ) · (n·g − Σg − c/σ² · Σ(g·c))

and what follows are its derivatives in x, in γ and in g.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.codegen.op import rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.types.shapes import Ints

Total = Callable[[Any], Any]


@rule
def normalised_backward(g: Any, scale: Any, c: Any, invstd: Any, count: int, total: Total) -> Any:
    """What the first derivative makes of `g`: without what a shift or a stretch of the whole would undo."""
    factor = scale * invstd / count
    return factor * (count * g - total(g) - c * invstd**2 * total(g * c))


@rule
def normalised_double_backward(
    on_input: Any, g: Any, sums: tuple[Any, Any], c: Any, bent: Any, invstd: Any, count: int, total: Total,
    turned: bool = False,
) -> Any:
    """What the gradient of the input, given the gradient `on_input`, passes on to it. `sums` are Σ(g·c) and Σg,
    `bent` is c/σ³; `turned`: the order of the factors of their product."""
    along, whole = sums
    shift = total(on_input)
    stretch = total(on_input * c)
    mixed = shift * whole / count - total(on_input * g if turned else g * on_input)
    mixed = mixed + invstd**2 * along * stretch * (3.0 / count)
    first = bent * mixed / count
    rest = whole / count - g
    second = stretch * invstd**3 / count * rest
    rest = shift / count - on_input
    third = along * invstd**3 / count * rest
    return first + second + third


@rule
def batch_norm_double_backward(
    grads: Any, g: Any, x: Any, weight: Any, running: tuple[Any, Any], saved: tuple[Any, Any], train: bool, eps: float
) -> tuple[Any, ...]:
    """What the gradients of input, γ and β pass on to the incoming gradient, the input and γ."""
    on_input, on_scale, on_shift = grads
    shape = tuple(x.shape)
    wide = (1, -1, *(1,) * (len(shape) - 2))
    count = math.prod(shape) // max(shape[1], 1)

    def total(v: Any, keep: bool = True) -> Any:
        v = ops.sum_dim(v, (0,), keep)
        for dim in range(len(v.shape) - 1, 1 if keep else 0, -1):
            v = ops.sum_dim(v, (dim,), keep)
        return v

    def spread(v: Any) -> Any:
        for _ in shape[2:]:
            v = ops.unsqueeze(v, len(v.shape))
        return ops.expand(v, shape)

    one = scale_of_one(x)
    scale = one if weight is None else spread(weight)
    to_scale = None if on_scale is None else spread(on_scale)
    to_shift = None if on_shift is None else spread(on_shift)
    if train:
        mean, invstd = saved[0].reshape(wide), saved[1].reshape(wide)
    else:
        mean, invstd = running[0].reshape(wide), ops.rsqrt(running[1] + eps).reshape(wide)
    c = x - mean
    bent = c * invstd**3
    along, whole = total(g * c), total(g)
    in_x = in_g = in_scale = None
    if on_input is not None and train:
        in_x = scale * normalised_double_backward(on_input, g, (along, whole), c, bent, invstd, count, total)
    if to_scale is not None:
        if train:
            first = g * invstd
            second = invstd * whole / -count
            part = to_scale * (first + second + bent * total(g * c) / -count)
        else:
            part = to_scale * invstd * g
        in_x = part if in_x is None else in_x + part
    if on_input is not None:
        if weight is not None:
            slope = normalised_backward(g, one, c, invstd, count, total) if train else None
            in_scale = total(on_input * slope if slope is not None else on_input * g * invstd, False)
        if train:
            in_g = normalised_backward(on_input, scale, c, invstd, count, total)
        else:
            in_g = on_input * invstd * scale
    if to_scale is not None:
        part = to_scale * c * invstd
        in_g = part if in_g is None else in_g + part
    if to_shift is not None:
        in_g = to_shift if in_g is None else in_g + to_shift
    return in_g, in_x, in_scale, None, None


@rule
def layer_norm_double_backward(
    grads: Any, g: Any, x: Any, normalized_shape: Ints, mean: Any, rstd: Any, weight: Any
) -> tuple[Any, ...]:
    """The same for layer norm, whose rows are normalised one by one."""
    shape, count = tuple(x.shape), math.prod(normalized_shape)
    flat = (math.prod(shape[: len(shape) - len(normalized_shape)]), count)

    def total(v: Any) -> Any:
        return ops.sum_dim(v, (1,), True)

    on_input, on_scale, on_shift = grads
    x, g = x.reshape(flat), g.reshape(flat)
    mean, rstd = mean.reshape(flat[0], 1), rstd.reshape(flat[0], 1)
    scale = scale_of_one(x) if weight is None else weight.reshape(1, count)
    to_scale = None if on_scale is None else on_scale.reshape(1, count)
    to_shift = None if on_shift is None else on_shift.reshape(1, count)
    to_input = None if on_input is None else on_input.reshape(flat)
    c = x - mean
    bent = c * rstd**3
    in_x = in_g = in_scale = None
    if to_input is not None:
        scaled = g * scale
        sums = total(scaled * c), total(scaled)
        in_x = normalised_double_backward(to_input, scaled, sums, c, bent, rstd, count, total, True)
    if to_scale is not None:
        first = g * to_scale * rstd
        second = rstd * total(g * to_scale) / -count
        part = first + second + bent * total(g * to_scale * c) / -count
        in_x = part if in_x is None else in_x + part
    if to_input is not None:
        if weight is not None:
            slope = g * normalised_backward(to_input, scale_of_one(x), c, rstd, count, total)
            in_scale = ops.sum_dim(slope, (0,), False).reshape(tuple(weight.shape))
        in_g = normalised_backward(to_input, scale, c, rstd, count, total)
    if to_scale is not None:
        part = to_scale * c * rstd
        in_g = part if in_g is None else in_g + part
    if to_shift is not None:
        in_g = to_shift if in_g is None else in_g + to_shift
    if in_g is not None:
        in_g = ops.expand(in_g, flat).reshape(shape)
    in_x = None if in_x is None else in_x.reshape(shape)
    return in_g, in_x, None, None, in_scale, None


@rule
def scale_of_one(x: Any) -> Any:
    """γ where there is none: a 1 of the input's type, which a recorded formula multiplies by all the same."""
    one = (x._array if isinstance(x, Tensor) else x).dtype.type(1)
    return constant(one) if isinstance(x, Tensor) else one
