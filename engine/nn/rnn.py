"""Recurrent layers and cells."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import TORCH
from engine.composites.packed import recurrent_packed
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import init
from engine.nn.layers import unusual
from engine.nn.module import Module
from engine.nn.parameter import empty_parameter
from engine.nn.utils.rnn import PackedSequence

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


def _zeros(shape: tuple[int, ...], dtype: Any) -> Tensor:
    """A state to begin with, whose size a program can set as it likes."""
    meter.allocate(math.prod(shape), dtype.itemsize)
    return Tensor._from_array(np.zeros(shape, dtype))


class RNNBase(Module):
    """Parameters, initialisation and checks of RNN, LSTM and GRU."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_options(mode, input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        gates = _GATES[mode] * hidden_size
        directions = 2 if bidirectional else 1
        width = proj_size or hidden_size
        self._flat_weights_names: list[str] = []
        self._all_weights: list[list[str]] = []
        for layer in range(num_layers):
            for direction in range(directions):
                wide = input_size if layer == 0 else width * directions
                shapes: dict[str, tuple[int, ...]] = {"weight_ih": (gates, wide), "weight_hh": (gates, width)}
                if bias:
                    shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                names = [name + suffix for name in shapes]
                for name, shape in zip(names, shapes.values(), strict=True):
                    setattr(self, name, empty_parameter(*shape, dtype=dtype, device=device))
                self._flat_weights_names += names
                self._all_weights.append(names)
        self.reset_parameters()

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters by layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Does nothing: it is for GPUs."""

    def reset_parameters(self) -> None:
        """Draw every parameter from U(-1/√hidden, 1/√hidden)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        options = {"bias": True, "batch_first": False, "dropout": 0, "bidirectional": False}
        return f"{self.input_size}, {self.hidden_size}" + unusual(self, proj_size=0, num_layers=1, **options)

    # The call

    def check_input(self, input: Tensor) -> None:
        """Refuse an input of another dtype or width than the layer's."""
        weight = getattr(self, self._flat_weights_names[0])
        if input.dtype is not weight.dtype:
            raise errors.rnn_dtype(input.dtype, weight.dtype)
        shape = input._array.shape
        if len(shape) != 3:
            raise errors.rnn_input_dimensions(len(shape))
        if shape[-1] != self.input_size:
            raise errors.rnn_input_size(self.input_size, shape[-1])

    def _expected(self, input: Tensor, width: int) -> tuple[int, int, int]:
        batch = input._array.shape[0 if self.batch_first else 1]
        return self.num_layers * (2 if self.bidirectional else 1), batch, width

    def _begin(self, input: Tensor, width: int) -> Tensor:
        return _zeros(self._expected(input, width), input._array.dtype)

    def _call_options(self) -> tuple[Any, ...]:
        """What `torch.lstm` and its like take after the state."""
        return self._flat_weights, self.bias, self.num_layers, self.dropout, self.training, self.bidirectional

    def _forward(self, function: str, input: Tensor, hx: Any) -> tuple[Tensor, ...]:
        return TORCH[function](input, hx, *self._call_options(), self.batch_first)

    def _packed(self, sequence: PackedSequence, hx: Any) -> Any:
        """A packed sequence: packed outputs and the last states, in the order the sequences were given."""
        data, batch_sizes, order, back = sequence
        batch = int(batch_sizes[0])
        layers = self.num_layers * (2 if self.bidirectional else 1)
        widths = [self.proj_size or self.hidden_size, self.hidden_size] if self.mode == "LSTM" else [self.hidden_size]
        many = self.mode == "LSTM"
        if hx is None:
            zeros = [_zeros((layers, batch, width), data._array.dtype) for width in widths]
            hx = tuple(zeros) if many else zeros[0]
        else:
            hx = _permuted(hx, order)
        weight = self._flat_weights[0]
        if data.dtype is not weight.dtype:
            raise errors.rnn_dtype(data.dtype, weight.dtype)
        if data.dim() != 2:
            raise errors.rnn_packed_dimensions(data.dim())
        if data.shape[-1] != self.input_size:
            raise errors.rnn_input_size(self.input_size, data.shape[-1])
        for index, (state, width) in enumerate(zip(hx if many else (hx,), widths, strict=True)):
            expected = (layers, batch, width)
            if tuple(state.shape) != expected:
                raise (
                    errors.lstm_hidden_size(index, expected, tuple(state.shape))
                    if many
                    else errors.rnn_hidden_size(expected, tuple(state.shape))
                )
        output, *last = recurrent_packed(self.mode, data, batch_sizes, hx, *self._call_options())
        states = tuple(last) if many else last[0]
        return PackedSequence(output, batch_sizes, order, back), _permuted(states, back)

    def _one_state(self, function: str, input: Tensor, hx: Tensor | None) -> tuple[Tensor, Tensor]:
        """RNN and GRU: input (T, N, in), state (layers·D, N, H) or None; the batch may be missing from both."""
        if isinstance(input, PackedSequence):
            return self._packed(input, hx)
        name = type(self).__name__
        if input.dim() not in (2, 3):
            raise errors.rnn_dimensions(name, input.dim())
        batched = input.dim() == 3
        if not batched:
            input = input.unsqueeze(0 if self.batch_first else 1)
        if hx is None:
            hx = self._begin(input, self.hidden_size)
        elif hx.dim() != (3 if batched else 2):
            raise errors.rnn_hidden_dimensions(batched, hx.dim())
        elif not batched:
            hx = hx.unsqueeze(1)
        self.check_input(input)
        expected = self._expected(input, self.hidden_size)
        if tuple(hx.shape) != expected:
            raise errors.rnn_hidden_size(expected, tuple(hx.shape))
        output, last = self._forward(function, input, hx)
        if not batched:
            return output.squeeze(0 if self.batch_first else 1), last.squeeze(1)
        return output, last


def _permuted(state: Any, order: Tensor | None) -> Any:
    """The sequences of a state (layers, N, H), or of (h, c), in another order."""
    if order is None:
        return state
    if isinstance(state, tuple | list):
        return tuple(s.index_select(1, order) for s in state)
    return state.index_select(1, order)


def _check_options(
    mode: str,
    input_size: Any,
    hidden_size: Any,
    num_layers: int,
    bias: Any,
    batch_first: Any,
    dropout: Any,
    proj_size: int,
) -> None:
    if isinstance(dropout, complex):
        float(dropout)  # type: ignore[arg-type]  # which says that it cannot be one
    if isinstance(dropout, bool) or not isinstance(dropout, int | float) or not 0 <= dropout <= 1:
        raise errors.rnn_dropout()
    if dropout > 0 and num_layers == 1:
        errors.warn_rnn_dropout(dropout, num_layers)
    for name, flag in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(flag, bool):
            raise errors.rnn_option_type(name, "bool", flag)
    for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(size, int):
            raise errors.rnn_option_type(name, "int", size)
        if size <= 0:
            raise errors.rnn_option_positive(name)
    if num_layers <= 0:
        raise errors.rnn_option_positive("num_layers")
    if proj_size < 0:
        raise errors.rnn_projection_negative()
    if proj_size >= hidden_size:
        raise errors.rnn_projection_large()
    if mode not in _GATES:
        raise errors.rnn_mode(mode)


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh), step by step: (T, N, in) → outputs (T, N, H), last states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise errors.rnn_projection_lstm_only()
        if len(args) > 3:
            nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        modes = {"tanh": "RNN_TANH", "relu": "RNN_RELU"}
        if nonlinearity not in modes:
            raise errors.rnn_nonlinearity(nonlinearity)
        super().__init__(modes[nonlinearity], *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._one_state(self.mode.lower(), input, hx)


class GRU(RNNBase):
    """Gated recurrent units: (T, N, in) → outputs (T, N, H), last states."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise errors.rnn_projection_lstm_only()
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> tuple[Tensor, Tensor]:
        return self._one_state("gru", input, hx)


class LSTM(RNNBase):
    """Long short-term memory: (T, N, in) → outputs (T, N, H), (last h, last c)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        if isinstance(input, PackedSequence):
            return self._packed(input, hx)
        if input.dim() not in (2, 3):
            raise errors.rnn_dimensions("LSTM", input.dim())
        batched = input.dim() == 3
        axis = 0 if self.batch_first else 1
        if not batched:
            input = input.unsqueeze(axis)
        width = self.proj_size or self.hidden_size
        if hx is None:
            hx = (self._begin(input, width), self._begin(input, self.hidden_size))
        else:
            h, c = hx[0], hx[1]
            wanted = 3 if batched else 2
            if h.dim() != wanted or c.dim() != wanted:
                raise errors.lstm_hidden_dimensions(batched, h.dim(), c.dim())
            hx = (h, c) if batched else (h.unsqueeze(1), c.unsqueeze(1))
        self.check_input(input)
        for index, (state, extent) in enumerate(zip(hx, (width, self.hidden_size), strict=True)):
            expected = self._expected(input, extent)
            if tuple(state.shape) != expected:
                raise errors.lstm_hidden_size(index, expected, tuple(state.shape))
        output, h, c = self._forward("lstm", input, hx)
        if not batched:
            return output.squeeze(axis), (h.squeeze(1), c.squeeze(1))
        return output, (h, c)


class RNNCellBase(Module):
    """Parameters and initialisation of the cells."""

    bias_ih: Any
    bias_hh: Any

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        self.weight_ih = empty_parameter(gates, input_size, dtype=dtype, device=device)
        self.weight_hh = empty_parameter(gates, hidden_size, dtype=dtype, device=device)
        if bias:
            self.bias_ih = empty_parameter(gates, dtype=dtype, device=device)
            self.bias_hh = empty_parameter(gates, dtype=dtype, device=device)
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw every parameter from U(-1/√hidden, 1/√hidden)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _step(self, function: str, input: Tensor, states: tuple[Tensor, ...] | None, count: int) -> Any:
        """One step of `torch.<function>_cell`; without a batch dimension one is added and taken away again."""
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise errors.rnn_cell_dimensions(name, input.dim())
        for index, state in enumerate(states or ()):
            if state.dim() not in (1, 2):
                raise errors.rnn_cell_hidden_dimensions(name, state.dim(), index if count > 1 else None)
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if states is None:
            zeros = _zeros((input.shape[0], self.hidden_size), input._array.dtype)
            states = (zeros,) * count
        elif not batched:
            states = tuple(state.unsqueeze(0) for state in states)
        hx: Any = states if count > 1 else states[0]
        result = TORCH[f"{function}_cell"](input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if batched:
            return result
        return tuple(r.squeeze(0) for r in result) if count > 1 else result.squeeze(0)


class RNNCell(RNNCellBase):
    """One step of an RNN: (N, in), (N, H) → (N, H)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise errors.rnn_cell_nonlinearity(self.nonlinearity)
        return self._step(f"rnn_{self.nonlinearity}", input, None if hx is None else (hx,), 1)


class LSTMCell(RNNCellBase):
    """One step of an LSTM: (N, in), ((N, H), (N, H)) → ((N, H), (N, H))."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Any = None) -> tuple[Tensor, Tensor]:
        if isinstance(hx, Tensor) and input.ndim == 2 and hx.ndim > 1 and all(h.ndim in (1, 2) for h in hx):
            raise errors.argument_type("lstm_cell", "hx", 2, "tuple of Tensors", hx)
        if isinstance(hx, Tensor) and input.ndim == 1 and hx.ndim:
            hx = (hx[0], hx[1])
        return self._step("lstm", input, None if hx is None else tuple(hx), 2)


class GRUCell(RNNCellBase):
    """One step of a GRU: (N, in), (N, H) → (N, H)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step("gru", input, None if hx is None else (hx,), 1)
