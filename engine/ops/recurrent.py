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
    """Back through time on Tensors: the forward pass is computed anew, as part of what is recorded.

    Nodes are made in the order of PyTorch's, in which a pass through this graph runs them.
    """
    w_ih, w_hh, b_ih, b_hh = weights
    grad_output, grad_h, grad_c = (None if grad is None else grad.contiguous() for grad in grads[:3])
    steps = x.shape[0]
    order = list(reversed(range(steps)) if reverse else range(steps))
    hidden_states, cells, gates = [hx], [cx], []
    for t in order:
        z = ops.addmm(b_ih, x[t], w_ih.t()) + ops.addmm(b_hh, hidden_states[-1], w_hh.t())
        i, f, g, o = ops.unsafe_split(z, z.shape[1] // 4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        cells.append(f * cells[-1] + i * g)
        hidden_states.append(o * cells[-1].tanh())
        gates.append((i, f, g, o))
    zeros, one = hx.new_zeros(hx.shape), hx.new_ones(())
    dh, dc = (zeros if grad is None else grad for grad in (grad_h, grad_c))
    inputs: list[Any] = [None] * steps
    totals: tuple[Any, ...] = ()
    for place in reversed(range(steps)):
        t = order[place]
        i, f, g, o = gates[place]
        cell, before = cells[place + 1], cells[place]
        if grad_output is not None:
            dh = grad_output[t] + dh
        right, left = cell.tanh(), cell.tanh()
        rest = ops.sub(one, left * right)
        dc = dc + dh * o * rest
        dg, di, dc_before, df = dc * i, dc * g, dc * f, dc * before
        do = dh * cell.tanh()
        rest = ops.sub(one, o)
        do = do * o * rest
        dg = dg * ops.sub(one, g * g)
        rest = ops.sub(one, f)
        df = df * f * rest
        rest = ops.sub(one, i)
        di = di * i * rest
        dz = ops.cat([di, df, dg, do], 1)
        bias = dz.sum(0)
        inputs[t] = dz.mm(w_ih).unsqueeze(0)
        dh, dc = dz.mm(w_hh), dc_before
        entering = x[t]
        found = bias, dz.transpose(0, 1).mm(entering), dz.transpose(0, 1).mm(hidden_states[place])
        totals = tuple([total + part for total, part in zip(totals, found, strict=True)]) if totals else found
    grad_bias, grad_ih, grad_hh = totals
    return ops.cat(inputs, 0), grad_ih, grad_hh, grad_bias, grad_bias, dh, dc


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
    opmath="bfloat16",
)
