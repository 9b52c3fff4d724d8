"""The LSTM layer, which PyTorch's CPU build runs as one op in float32 (Hochreiter and Schmidhuber, 1997).

    i, f, o = σ(…)   g = tanh(…)   c' = f·c + i·g   h' = o·tanh(c')
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.op import kernel, op, rule
from engine.core.registry import OPS
from engine.limits import meter


@kernel
def lstm_layer_kernel(
    x: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any, hx: Any, cx: Any, reverse: bool
) -> tuple[Any, Any, Any, Any]:
    """Outputs (T, N, H), the last h and c, and for the way back what the gates and cells were at every step."""
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    meter.product(2 * steps * batch * (w_ih.size + w_hh.size), x.dtype)
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
    grads: Any,
    x: Any,
    w_ih: Any,
    w_hh: Any,
    hx: Any,
    cx: Any,
    output: Any,
    workspace: Any,
    reverse: bool,
) -> tuple[Any, ...]:
    """Gradients of input, the four weights, hx and cx: back through time.

    Whatever does not depend on later steps is computed for all steps at once.
    """
    grad_output, grad_h, grad_c, _ = grads
    steps, batch, hidden = x.shape[0], x.shape[1], w_hh.shape[1]
    meter.allocate(steps * batch * 12 * hidden, x.itemsize)
    meter.product(4 * steps * batch * (w_ih.size + w_hh.size), x.dtype)
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


@rule
def lstm_layer_backward(
    grads: Any,
    x: Any,
    w_ih: Any,
    w_hh: Any,
    b_ih: Any,
    b_hh: Any,
    hx: Any,
    cx: Any,
    output: Any,
    workspace: Any,
    reverse: bool,
) -> tuple[Any, ...]:
    """Gradients of an LSTM layer; recorded, they are written with plain ops so that they can be differentiated."""
    if isinstance(x, np.ndarray):
        return lstm_layer_backward_kernel(grads, x, w_ih, w_hh, hx, cx, output, workspace, reverse)
    return recorded_lstm_backward(grads, x, (w_ih, w_hh, b_ih, b_hh), hx, cx, reverse)


def recorded_lstm_backward(
    grads: Any, x: Any, weights: tuple[Any, Any, Any, Any], hx: Any, cx: Any, reverse: bool
) -> tuple[Any, ...]:
    """Back through time on Tensors: the forward pass is computed anew, as part of what is recorded."""
    w_ih, w_hh, b_ih, b_hh = weights
    grad_output, grad_h, grad_c, _ = grads
    steps = x.shape[0]
    order = list(reversed(range(steps)) if reverse else range(steps))
    hidden_states, cells, gates = [hx], [cx], []
    for t in order:
        z = x[t].mm(w_ih.t()) + b_ih + hidden_states[-1].mm(w_hh.t()) + b_hh
        i, f, g, o = z.chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        cells.append(f * cells[-1] + i * g)
        hidden_states.append(o * cells[-1].tanh())
        gates.append((i, f, g, o))
    zeros = hx.new_zeros(hx.shape)
    dh, dc = (zeros if grad is None else grad for grad in (grad_h, grad_c))
    steps_back: list[Any] = [None] * steps
    grad_hh: Any = None
    for place in reversed(range(steps)):
        t = order[place]
        i, f, g, o = gates[place]
        if grad_output is not None:
            dh = dh + grad_output[t]
        bent = cells[place + 1].tanh()
        dc = dc + dh * o * (1 - bent * bent)
        dz = OPS["cat"].call(
            [dc * g * i * (1 - i), dc * cells[place] * f * (1 - f), dc * i * (1 - g * g), dh * bent * o * (1 - o)], 1
        )
        part = dz.t().mm(hidden_states[place])
        grad_hh = part if grad_hh is None else grad_hh + part
        steps_back[t] = dz
        dh = dz.mm(w_hh)
        dc = dc * f
    flat = OPS["cat"].call(steps_back, 0)
    grad_bias = flat.sum(0)
    grad_x = OPS["cat"].call([step.mm(w_ih).unsqueeze(0) for step in steps_back], 0)
    return grad_x, flat.t().mm(x.reshape(-1, x.shape[2])), grad_hh, grad_bias, grad_bias, dh, dc


op(
    "mkldnn_rnn_layer(input, weight0, weight1, weight2, weight3, hx_, cx_, reverse, batch_sizes, mode, hidden_size, "
    "num_layers, has_biases, bidirectional, batch_first, train)",
    "MkldnnRnnLayerBackward0",
    "lstm_layer_kernel(input, weight0, weight1, weight2, weight3, hx_, cx_, reverse)",
    outputs="result result1 result2 workspace!", inplace=False,
    together=(
        "input weight0 weight1 weight2 weight3 hx_ cx_",
        "lstm_layer_backward(g, input, weight0, weight1, weight2, weight3, hx_, cx_, result, workspace, reverse)",
    ),
    says="back through time: each step's gates pass on what reached the output and the cell after it",
)
