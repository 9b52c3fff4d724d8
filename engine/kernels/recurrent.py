"""The LSTM layer, which PyTorch's CPU build runs as one op in float32 (Hochreiter and Schmidhuber, 1997).

i, f, o = σ(…)   g = tanh(…)   c' = f·c + i·g   h' = o·tanh(c')
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.kernels.names import kernel
from engine.limits import meter


def _charge_products(times: int, x: Any, *weights: Any) -> None:
    """Charge products of each step's batch with the weights."""
    for weight in weights:
        meter.product(x.shape[1], weight.shape[1], weight.shape[0], x.dtype, times * x.shape[0])


@kernel
def lstm_layer_kernel(
    x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, hx: Any, cx: Any, reverse: bool
) -> tuple[Any, Any, Any, Any]:
    """Outputs (T, N, H), the last h and c, and for the way back what the gates and cells were at every step."""
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    _charge_products(1, x, w_ih, w_hh)
    meter.charge(6 * steps + (steps * batch * hidden >> 6))
    meter.allocate(steps * batch * 6 * hidden, x.itemsize)
    from_input = x @ w_ih.T + (b_ih + b_hh)
    output = np.empty((steps, batch, hidden), x.dtype)
    workspace = np.empty((steps, batch, 5 * hidden), x.dtype)
    recurrent, h, c = w_hh.T, hx, cx
    for t in reversed(range(steps)) if reverse else range(steps):
        z = h @ recurrent
        z += from_input[t]
        now = workspace[t]
        gates, tail = now[:, : 4 * hidden], now[:, 4 * hidden :]
        np.negative(z, out=gates)
        np.exp(gates, out=gates)
        gates += 1
        np.divide(1, gates, out=gates)
        g = np.tanh(z[:, 2 * hidden : 3 * hidden], out=gates[:, 2 * hidden : 3 * hidden])
        c = np.multiply(gates[:, hidden : 2 * hidden], c, out=tail)
        c += gates[:, :hidden] * g
        h = np.multiply(gates[:, 3 * hidden :], np.tanh(c), out=output[t])
    return output, h.copy(), c.copy(), workspace


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
    _charge_products(2, x, w_ih, w_hh)
    meter.charge(6 * steps + (steps * batch * hidden >> 5))
    i, f, g, o, c = workspace.reshape(steps, batch, 5, hidden).transpose(2, 0, 1, 3)
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
        dh = now.reshape(batch, 4 * hidden) @ w_hh
        dc = dc * f[t]
    flat = dz.reshape(-1, 4 * hidden)
    grad_bias = np.add.reduce(flat, axis=0)
    grad_ih = flat.T @ x.reshape(-1, x.shape[2])
    grad_hh = flat.T @ _before(output, hx, reverse).reshape(-1, hidden)
    grad_x = (flat @ w_ih).reshape(x.shape)
    return grad_x, grad_ih, grad_hh, grad_bias, grad_bias.copy(), dh, dc
