"""The LSTM layer, which PyTorch's CPU build runs as one op in float32 (Hochreiter and Schmidhuber, 1997)."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.kernels.recurrent import lstm_layer_backward_kernel


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
        dz = ops.cat(
            [dc * g * i * (1 - i), dc * cells[place] * f * (1 - f), dc * i * (1 - g * g), dh * bent * o * (1 - o)], 1
        )
        part = dz.t().mm(hidden_states[place])
        grad_hh = part if grad_hh is None else grad_hh + part
        steps_back[t] = dz
        dh = dz.mm(w_hh)
        dc = dc * f
    flat = ops.cat(steps_back, 0)
    grad_bias = flat.sum(0)
    grad_x = ops.cat([step.mm(w_ih).unsqueeze(0) for step in steps_back], 0)
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
