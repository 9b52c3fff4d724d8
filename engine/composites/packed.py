"""Recurrent layers over packed sequences: at each step the sequences that are still running."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.composites.dropout import _drop
from engine.composites.joins import cat, stack
from engine.composites.recurrent import STEPS, State, Step, Weights, _grouped, _input, _same, _shown
from engine.core.registry import ops
from engine.core.tensor import Tensor, bump_version


def _slice(state: State, start: int, stop: int) -> State:
    if isinstance(state, tuple):
        h, c = state
        c = c.narrow(0, start, stop - start)  # before h, as PyTorch's compiler orders it
        return h.narrow(0, start, stop - start), c
    return state.narrow(0, start, stop - start)


def _join(states: Sequence[State]) -> State:
    if isinstance(states[0], tuple):
        c = cat([c for _, c in states], 0)
        return cat([h for h, _ in states], 0), c
    return cat(list(states), 0)


def _forwards(step: Step, data: Tensor, sizes: list[int], state: State, weights: Weights) -> tuple[Tensor, State]:
    """First step to last; the states of sequences that end are put aside."""
    gates = _input(data, weights)
    outputs: list[Tensor] = []
    finished: list[State] = []
    offset, running = 0, sizes[0]
    for size in sizes:
        part = gates.narrow(0, offset, size)
        offset += size
        if size < running:
            finished.append(_slice(state, size, running))
            state = _slice(state, 0, size)
            running = size
        state = step(partial(_same, part), state, weights)
        outputs.append(_shown(state))
    return cat(outputs, 0), _join([state, *reversed(finished)])


def _backwards(step: Step, data: Tensor, sizes: list[int], state: State, weights: Weights) -> tuple[Tensor, State]:
    """Last step to first; shorter sequences join on the way."""
    gates = _input(data, weights)
    outputs: list[Tensor] = []
    offset, running = data.shape[0], sizes[-1]
    current = _slice(state, 0, running)
    for size in reversed(sizes):
        if size > running:
            current = _join([current, _slice(state, running, size)])
        part = gates.narrow(0, offset - size, size)
        offset -= size
        running = size
        current = step(partial(_same, part), current, weights)
        outputs.append(_shown(current))
    outputs.reverse()
    return cat(outputs, 0), current


def recurrent_packed(
    mode: str,
    data: Tensor,
    batch_sizes: Tensor,
    hx: Any,
    params: Sequence[Tensor],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[Tensor, ...]:
    """As `recurrent`: packed outputs (rows, D·H) and the last states (layers·D, N, H)."""
    directions = 2 if bidirectional else 1
    sizes = batch_sizes.tolist()
    parts = [h.unbind(0) for h in hx] if mode == "LSTM" else hx.unbind(0)
    states: list[State] = list(zip(*parts, strict=True)) if mode == "LSTM" else list(parts)
    groups = _grouped(params, has_biases, num_layers * directions)
    last: list[State] = []
    for layer in range(num_layers):
        outputs = []
        for direction in range(directions):
            index = layer * directions + direction
            run = _backwards if direction else _forwards
            output, state = run(STEPS[mode], data, sizes, states[index], groups[index])
            outputs.append(output)
            last.append(state)
        data = outputs[0] if directions == 1 else cat(outputs, -1)
        if dropout and train and layer < num_layers - 1:
            data = _drop(data, dropout, True, False)
    if mode == "LSTM":
        return data, stack([h for h, _ in last], 0), stack([c for _, c in last], 0)
    return data, stack(last, 0)


@public("torch")
def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (T_i, *) side by side, filled up to the longest: (T, N, *), or (N, T, *)."""
    if not sequences[0].ndim:
        raise errors.pad_scalar()
    if any(not sequence.ndim for sequence in sequences):
        raise errors.dim_of_no_dims(0)
    if padding_side not in ("left", "right"):
        raise errors.padding_side(padding_side)
    longest = max(int(s.shape[0]) for s in sequences)
    trailing = tuple(sequences[0].shape[1:])
    lead = (len(sequences), longest) if batch_first else (longest, len(sequences))
    out: Tensor = sequences[0].new_full((*lead, *trailing), padding_value)
    bump_version(out)  # PyTorch fills it where writes are counted
    for index, sequence in enumerate(sequences):
        length = int(sequence.shape[0])
        start = 0 if padding_side == "right" else longest - length
        row = out.select(0, index) if batch_first else out.select(1, index)
        row.narrow(0, start, length).copy_(sequence)
    return out


@public("torch")
def _pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, list[int]]:
    """The packed rows in their places, padded, and the sequences' lengths."""
    sizes = batch_sizes.tolist()
    steps = max(total_length, len(sizes))
    out: Tensor = data.new_full((steps, sizes[0], *data.shape[1:]), padding_value)
    lengths: list[int] = []
    offset = begun = 0
    running = sizes[0]
    for step, size in enumerate([*sizes, 0]):
        if size != running:
            rows = running * (step - begun)
            part = ops.slice(data, 0, offset, offset + rows)
            target = ops.slice(ops.slice(out, 0, begun, step), 1, 0, running)
            target.copy_(part.view(step - begun, running, *data.shape[1:]))
            offset += rows
            begun = step
        lengths = [step] * (running - size) + lengths
        running = size
    return (out.transpose(0, 1) if batch_first else out), lengths
