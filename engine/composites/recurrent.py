"""Recurrent layers and cells, composed step by step as PyTorch composes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from engine import errors
from engine.codegen.autocast import lowered
from engine.codegen.publish import public
from engine.composites.dropout import _drop
from engine.composites.joins import cat, stack
from engine.composites.linalg import linear, matmul
from engine.core.registry import OPS, ops
from engine.core.state import state as current
from engine.core.tensor import Tensor, bump_version
from engine.costs import USUAL, work
from engine.kernels.recurrent import gru_step_values, transposed
from engine.kernels.rounding import SINGLE
from engine.limits import meter

Weights = Sequence[Tensor | None]
"""w_ih, w_hh, b_ih, b_hh (None without biases), and w_hr for an LSTM with projections."""

State = Any
"""A hidden state: a tensor, or (h, c) of an LSTM."""

_SMALL = 1 << 10
"""Numbers of a state up to which calls cost more than arithmetic."""

Gates = Callable[[], Tensor]
"""What the input contributes to the gates. Most steps ask for it after they computed what the state contributes."""

Step = Callable[[Gates, State, Weights], State]
"""One step, from the input's gates and the state before it to the state after it."""


def _hidden(h: Tensor, weights: Weights) -> Tensor:
    return linear(h, weights[1], weights[3])  # type: ignore[arg-type]


def _input(x: Tensor, weights: Weights) -> Tensor:
    return linear(x, weights[0], weights[2])  # type: ignore[arg-type]


def _same(gates: Tensor) -> Tensor:
    return gates


def _parts(gates: Tensor, count: int) -> tuple[Tensor, ...]:
    """The gates one by one."""
    shape = gates._array.shape
    if len(shape) != 2 or not shape[1] or shape[1] % count:
        return gates.unsafe_chunk(count, 1)
    return ops.unsafe_split(gates, shape[1] // count, 1)


def tanh_step(gates: Gates, h: Tensor, weights: Weights) -> Tensor:
    """h' = tanh(W_hh h + gates)."""
    return (_hidden(h, weights) + gates()).tanh()


def relu_step(gates: Gates, h: Tensor, weights: Weights) -> Tensor:
    """h' = max(0, W_hh h + gates)."""
    return (_hidden(h, weights) + gates()).relu()


def gru_step(gates: Gates, h: Tensor, weights: Weights) -> Tensor:
    """Gated recurrent unit (Cho et al., 2014)."""
    entering = gates()
    if _is_unseen(entering, h, weights):
        w_hh = weights[1]
        return _gru_step_at_once(w_hh._array.T, lambda: entering, h, weights)  # type: ignore[union-attr]
    from_input = _parts(entering, 3)
    from_hidden = _parts(_hidden(h, weights), 3)
    reset = (from_hidden[0] + from_input[0]).sigmoid()
    update = (from_hidden[1] + from_input[1]).sigmoid()
    candidate = (from_input[2] + from_hidden[2] * reset).tanh()
    mixed: Tensor = (h - candidate) * update + candidate
    bump_version(mixed)  # PyTorch multiplies and adds in place
    bump_version(mixed)
    return mixed


_add, _sub, _mul, _sigmoid, _tanh, _addmm, _unsafe_split = (
    OPS[name].computed() for name in ("add", "sub", "mul", "sigmoid", "tanh", "addmm", "unsafe_split")
)


def _is_unseen(entering: Tensor, h: Tensor, weights: Weights) -> bool:
    """Whether nobody looks at the ops of a step of a GRU, which is usual and small."""
    w_hh, b_hh = weights[1], weights[3]
    if current.watched or current.autocast is not None or w_hh is None or b_hh is None:
        return False
    gates, state, weight, bias = entering._array, h._array, w_hh._array, b_hh._array
    if state.ndim != 2 or not 0 < state.size <= _SMALL or not state.flags.c_contiguous:
        return False
    rows, width = state.shape
    return (
        gates.shape == (rows, 3 * width)
        and weight.shape == (3 * width, width)
        and bias.shape == (3 * width,)
        and all([type(a) is np.ndarray and a.dtype is SINGLE for a in (gates, state, weight, bias)])
    )


def _gru_step_at_once(recurrent: Any, gates: Gates, h: Tensor, weights: Weights) -> Tensor:
    """`gru_step` whose numbers are computed before its ops are recorded, in fewer calls."""
    entering, w_hh, b_hh = gates(), cast(Tensor, weights[1]), cast(Tensor, weights[3])
    work(USUAL, w_hh._array)
    meter.charge(18)  # for the parts
    (of_input, hidden, of_hidden, reset_sum, update_sum, reset_value, update_value, scaled, total, squashed, apart,
     weighted, mixed_value) = gru_step_values(entering._array, h._array, recurrent, b_hh._array)  # fmt: skip
    width = h._array.shape[1]
    x_reset, x_update, x_candidate = _unsafe_split(of_input, entering, width, 1)
    h_gates = _addmm(hidden, b_hh, h, ops.t(w_hh))
    h_reset, h_update, h_candidate = _unsafe_split(of_hidden, h_gates, width, 1)
    reset = _sigmoid(reset_value, _add(reset_sum, h_reset, x_reset))
    update = _sigmoid(update_value, _add(update_sum, h_update, x_update))
    candidate = _tanh(squashed, _add(total, x_candidate, _mul(scaled, h_candidate, reset)))
    mixed: Tensor = _add(mixed_value, _mul(weighted, _sub(apart, h, candidate), update), candidate)
    bump_version(mixed)
    bump_version(mixed)
    return mixed


def lstm_step(gates: Gates, state: tuple[Tensor, Tensor], weights: Weights) -> tuple[Tensor, Tensor]:
    """Long short-term memory (Hochreiter and Schmidhuber, 1997)."""
    h, c = state
    i, f, g, o = _parts(_hidden(h, weights) + gates(), 4)
    ingate, forget, cell, outgate = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    c = forget * c + ingate * cell
    h = outgate * c.tanh()
    projection = weights[4] if len(weights) > 4 else None
    return (h if projection is None else matmul(h, projection.t())), c


STEPS: dict[str, Step] = {"RNN_TANH": tanh_step, "RNN_RELU": relu_step, "GRU": gru_step, "LSTM": lstm_step}


def _shown(state: State) -> Tensor:
    return state[0] if isinstance(state, tuple) else state


def _run(step: Step, x: Tensor, state: State, weights: Weights, backwards: bool) -> tuple[Tensor, State]:
    """All steps of one layer in one direction; the input's part of the gates is computed at once."""
    inputs = list(_input(x, weights).unbind(0))
    if step is gru_step and _is_unseen(inputs[0], state, weights):
        step = partial(_gru_step_at_once, transposed(cast(Tensor, weights[1])._array, x._array.shape[1]))
    outputs: list[Tensor] = []
    for gates in reversed(inputs) if backwards else inputs:
        state = step(partial(_same, gates), state, weights)
        outputs.append(_shown(state))
    if backwards:
        outputs.reverse()
    return stack(outputs, 0), state


def _layer(mode: str, x: Tensor, state: State, weights: Weights, backwards: bool, train: bool) -> tuple[Tensor, State]:
    """One layer in one direction."""
    if current.autocast is not None and mode == "LSTM" and x._array.dtype.char in "fE" and len(weights) == 4:
        x, *state = lowered(x, *state)
        weights = lowered(*weights)
    elif mode != "LSTM" or x._array.dtype != np.float32 or len(weights) > 4:
        return _run(STEPS[mode], x, state, weights, backwards)
    w_ih, w_hh, b_ih, b_hh = weights
    assert w_hh is not None
    has_biases = b_ih is not None
    if not has_biases:
        b_ih = b_hh = Tensor._from_array(np.zeros(w_hh.shape[0], w_hh._array.dtype))
    output, h, c, _ = ops.mkldnn_rnn_layer(
        x.contiguous(),
        w_ih,
        w_hh,
        b_ih,
        b_hh,
        *state,
        backwards,
        (),
        2,
        w_hh.shape[1],
        1,
        has_biases,
        False,
        False,
        train,
    )
    return output, (h, c)


def _grouped(params: Sequence[Tensor], has_biases: bool, count: int) -> list[list[Tensor | None]]:
    """The flat list of a module's weights, by layer and direction."""
    size = len(params) // count
    groups: list[list[Tensor | None]] = []
    for start in range(0, len(params), size):
        weights: list[Tensor | None] = list(params[start : start + size])
        if not has_biases:
            weights[2:2] = [None, None]
        groups.append(weights)
    return groups


def recurrent(
    mode: str,
    input: Tensor,
    hx: Any,
    params: Sequence[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[Tensor, ...]:
    """Layers upon layers: output (T, N, D·H) and the last states (layers·D, N, H)."""
    directions = 2 if bidirectional else 1
    x = input.transpose(0, 1) if batch_first else input
    if not x.shape[0]:
        raise errors.rnn_empty()
    one_op = mode == "LSTM" and x._array.dtype == np.float32 and len(params) // (num_layers * directions) in (2, 4)
    if mode == "LSTM":
        if not one_op and x._array.dtype == np.float32:
            errors.warn_lstm_projections()
        pairs = (
            [(h[i], c[i]) for h, c in [hx] for i in range(h.shape[0])]
            if one_op
            else list(zip(hx[0].unbind(0), hx[1].unbind(0), strict=True))
        )
        states: list[State] = list(pairs)
    else:
        states = list(hx.unbind(0))
    groups = _grouped(params, has_biases, num_layers * directions)
    last: list[State] = []
    for layer in range(num_layers):
        outputs = []
        if one_op and current.autocast is None:
            x = x.contiguous()  # once for both directions
        for direction in range(directions):
            index = layer * directions + direction
            output, state = _layer(mode, x, states[index], groups[index], direction == 1, train)
            outputs.append(output)
            last.append(state)
        x = outputs[0] if directions == 1 else cat(outputs, -1)
        if dropout and train and layer < num_layers - 1:
            x = _drop(x, dropout, True, False)
    parts = zip(*last, strict=True) if mode == "LSTM" else [last]
    final = [stack(list(part), 0) for part in parts]
    if batch_first:
        x = x.transpose(0, 1) if mode == "LSTM" else x.transpose_(0, 1)
    return x, *final


def _publish(name: str, mode: str) -> None:
    @public("torch", name, doc="The layers of a recurrent module, with the parameters given.")
    def layers(
        input: Tensor,
        hx: Any,
        params: Sequence[Tensor],
        has_biases: bool,
        num_layers: int,
        dropout: float,
        train: bool,
        bidirectional: bool,
        batch_first: bool,
    ) -> tuple[Tensor, ...]:
        return recurrent(mode, input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)

    @public("torch", f"{name}_cell", doc="One step of a recurrent module, with the parameters given.")
    def cell(
        input: Tensor, hx: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
    ) -> Any:
        _check_cell(input, hx if isinstance(hx, tuple | list) else (hx,), w_ih, w_hh)
        weights = (w_ih, w_hh, b_ih, b_hh)
        state = tuple(hx) if isinstance(hx, tuple | list) else hx
        return STEPS[mode](partial(_input, input, weights), state, weights)


def _check_cell(x: Tensor, states: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor) -> None:
    if x.shape[1] != w_ih.shape[1]:
        raise errors.rnn_cell_input_size(x.shape[1], w_ih.shape[1])
    for index, state in enumerate(states):
        if x.shape[0] != state.shape[0]:
            raise errors.rnn_cell_batch(x.shape[0], index, state.shape[0])
        if state.shape[1] != w_hh.shape[1]:
            raise errors.rnn_cell_hidden_size(index, state.shape[1], w_hh.shape[1])


for _name, _mode in (("rnn_tanh", "RNN_TANH"), ("rnn_relu", "RNN_RELU"), ("gru", "GRU"), ("lstm", "LSTM")):
    _publish(_name, _mode)
