"""Recurrent layers in few calls: the LSTM, which PyTorch's CPU build runs as one op in float32 (Hochreiter and
Schmidhuber, 1997), and the numbers of a step of a GRU, which it runs op by op (Cho et al., 2014).

i, f, o = σ(…)   g = tanh(…)   c' = f·c + i·g   h' = o·tanh(c')

r, u = σ(…)   n = tanh(x + r·y)   h' = (h - n)·u + n
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.linalg import PACKED, charge_product, product
from engine.kernels.names import kernel
from engine.kernels.pointwise import sigmoids, tanh_values
from engine.kernels.summation import zero_dim
from engine.limits import meter

_SMALL = 1 << 16
"""Elements of a weight up to which it pays to transpose it."""


def _charge_products(times: int, x: Any, *weights: Any) -> None:
    """Charge products of each step's batch with the weights."""
    for weight in weights:
        meter.product(x.shape[1], weight.shape[1], weight.shape[0], x.dtype, times * x.shape[0])


def transposed(weight: Any, rows: int) -> Any:
    """A weight (4H, K) as the right factor of products with so many rows: transposed once, where BLAS would pack it
    for each of them, and whole vectors give the same bits."""
    packed = rows * len(weight) > PACKED and weight.size <= _SMALL and len(weight) % 16 == 0
    return np.ascontiguousarray(weight.T) if packed else weight.T


@kernel
def lstm_layer_kernel(
    x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, hx: Any, cx: Any, reverse: bool
) -> tuple[Any, Any, Any, Any]:
    """Outputs (T, N, H), the last h and c, and for the way back what the gates and cells were at every step."""
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    _charge_products(1, x, w_ih, w_hh)
    meter.charge(6 * steps + (steps * batch * hidden >> 6))
    meter.allocate(steps * batch * 6 * hidden, x.itemsize)
    meter.room(steps * batch * 5 * hidden * x.itemsize)
    entering = x.reshape(-1, x.shape[2]) if batch * len(w_ih) > PACKED else x
    gates = (entering @ transposed(w_ih, batch)).reshape(steps, batch, 4 * hidden)
    gates += b_ih + b_hh
    cells = np.empty((steps, batch, hidden), x.dtype)
    output = np.empty_like(cells)
    recurrent, one = transposed(w_hh, batch), zero_dim(1, x.dtype)
    total, squashed = np.empty_like(gates[0]), np.empty_like(hx)  # made once: their memory is warm
    by_gate = gates.reshape(steps, batch, 4, hidden).swapaxes(1, 2)
    h, c = hx, cx
    for t in reversed(range(steps)) if reverse else range(steps):
        now = gates[t]
        i, f, g, o = by_gate[t]
        h.dot(recurrent, total)
        now += total
        np.tanh(g, squashed)
        np.negative(now, now)
        np.exp(now, now)
        now += one
        np.reciprocal(now, now)
        g[...] = squashed
        squashed *= i
        c = np.multiply(f, c, cells[t])
        c += squashed
        h = np.multiply(o, np.tanh(c, squashed), output[t])
    return output, h.copy(), c.copy(), np.concatenate((gates, cells), axis=2)


def _before(states: Any, first: Any, reverse: bool) -> Any:
    """The states (T, N, H) that each step started from."""
    if reverse:
        return np.concatenate((states[1:], first[None]))
    return np.concatenate((first[None], states[:-1]))


@kernel
def lstm_layer_backward_kernel(
    grads: Any, x: Any, w_ih: Any, w_hh: Any, hx: Any, cx: Any, output: Any, workspace: Any, reverse: bool
) -> tuple[Any, ...]:
    """Gradients of input, the four weights, hx and cx: back through time.

    Whatever does not depend on later steps is computed for all steps at once.
    """
    grad_output, grad_h, grad_c, _ = grads
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    meter.allocate(steps * batch * 12 * hidden, x.itemsize)
    meter.room(steps * batch * 5 * hidden * x.itemsize)
    _charge_products(2, x, w_ih, w_hh)
    meter.charge(6 * steps + (steps * batch * hidden >> 5))
    i, f, g, o, c = np.ascontiguousarray(workspace.reshape(steps, batch, 5, hidden).transpose(2, 0, 1, 3))
    bent = np.tanh(c)
    through = o * (1 - bent * bent)
    slopes = np.empty((steps, batch, 4, hidden), x.dtype)
    slopes[:, :, 0] = g * i * (1 - i)
    slopes[:, :, 1] = _before(c, cx, reverse) * f * (1 - f)
    slopes[:, :, 2] = i * (1 - g * g)
    slopes[:, :, 3] = bent * o * (1 - o)
    dz = np.empty_like(slopes)
    dh = np.zeros((batch, hidden), x.dtype) if grad_h is None else grad_h
    dc = np.zeros((batch, hidden), x.dtype) if grad_c is None else grad_c
    for t in range(steps) if reverse else reversed(range(steps)):
        if grad_output is not None:
            dh = dh + grad_output[t]
        dc = dc + dh * through[t]
        now = dz[t]
        np.multiply(dc[:, None], slopes[t, :, :3], out=now[:, :3])
        np.multiply(dh, slopes[t, :, 3], out=now[:, 3])
        dh = now.reshape(batch, 4 * hidden).dot(w_hh)
        dc *= f[t]
    flat = dz.reshape(-1, 4 * hidden)
    grad_bias = np.add.reduce(flat, axis=0)
    grad_ih = flat.T @ x.reshape(-1, x.shape[2])
    grad_hh = flat.T @ _before(output, hx, reverse).reshape(-1, hidden)
    grad_x = (flat @ w_ih).reshape(x.shape)
    return grad_x, grad_ih, grad_hh, grad_bias, grad_bias.copy(), dh, dc


def gru_step_values(entering: Any, h: Any, recurrent: Any, bias: Any) -> tuple[Any, ...]:
    """What each op of a step gives, to the bit, in the order of the ops after those that split the gates.

    entering: what the input contributes to the gates (N, 3H); h: (N, H); recurrent: a weight, `transposed`.
    Gates, their parts and what is made of them. What no node keeps may share memory.
    """
    width = h.shape[1]
    if recurrent.flags.c_contiguous:
        charge_product(len(h), width, 3 * width, h.dtype)
        gates = h.dot(recurrent)
    else:
        gates = product(h, recurrent)
    gates += bias
    of_input = [entering[:, :width], entering[:, width : 2 * width], entering[:, 2 * width :]]
    of_hidden = [gates[:, :width], gates[:, width : 2 * width], gates[:, 2 * width :].copy()]
    sums = gates[:, : 2 * width] + entering[:, : 2 * width]
    reset, update = sigmoids(sums, width)
    scaled = of_hidden[2] * reset
    total = of_input[2] + scaled
    candidate = tanh_values(total)
    apart = h - candidate
    weighted = apart * update
    made = reset, update, scaled, total, candidate, apart, weighted, weighted + candidate
    return of_input, gates, of_hidden, sums[:, :width], sums[:, width:], *made
