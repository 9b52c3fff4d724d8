"""Recurrent layers and cells."""

from __future__ import annotations

from collections.abc import Sequence

Shape = Sequence[int]


def padding_side(side: str) -> RuntimeError:
    return RuntimeError(f"Expected padding_side to be one of left or right, but got {side}.")


def no_sequences() -> RuntimeError:
    return RuntimeError("received an empty list of sequences")


def rnn_input_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"input.size(-1) must be equal to input_size. Expected {expected}, got {got}")


def rnn_dimensions(layer: str, ndim: int) -> ValueError:
    what = "D tensor" if layer == "RNN" else "D"
    return ValueError(f"{layer}: Expected input to be 2D or 3D, got {ndim}{what} instead")


def rnn_input_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"input must have 3 dimensions, got {ndim}")


def rnn_dtype(given: object, weight: object) -> ValueError:
    return ValueError(
        f"RNN input dtype ({given}) does not match weight dtype ({weight}). Convert input: input.to({weight}), or "
        f"convert model: model.to({given})"
    )


def rnn_hidden_dimensions(batched: bool, ndim: int) -> RuntimeError:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    return RuntimeError(f"For {kind} input, hx should also be {wanted}-D but got {ndim}-D tensor")


def lstm_hidden_dimensions(batched: bool, h: int, c: int) -> RuntimeError:
    kind, wanted = ("batched 3-D", 3) if batched else ("unbatched 2-D", 2)
    return RuntimeError(f"For {kind} input, hx and cx should also be {wanted}-D but got ({h}-D, {c}-D) tensors")


def lstm_hidden_size(index: int, expected: Shape, got: Shape) -> RuntimeError:
    return RuntimeError(f"Expected hidden[{index}] size {tuple(expected)}, got {list(got)}")


def rnn_dropout() -> ValueError:
    return ValueError(
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
    )


def rnn_option_type(name: str, expected: str, got: object) -> TypeError:
    return TypeError(f"{name} should be of type {expected}, got: {type(got).__name__}")


def rnn_option_positive(name: str) -> ValueError:
    return ValueError(f"{name} must be greater than zero")


def rnn_projection_negative() -> ValueError:
    return ValueError("proj_size should be a positive integer or zero to disable projections")


def rnn_projection_large() -> ValueError:
    return ValueError("proj_size has to be smaller than hidden_size")


def rnn_projection_lstm_only() -> ValueError:
    return ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


def rnn_mode(mode: str) -> ValueError:
    return ValueError("Unrecognized RNN mode: " + mode)


def rnn_empty() -> RuntimeError:
    return RuntimeError("Expected sequence length to be larger than 0 in RNN")


def rnn_cell_batch(batch: int, index: int, hidden: int) -> RuntimeError:
    return RuntimeError(f"Input batch size {batch} doesn't match hidden{index} batch size {hidden}")


def rnn_cell_hidden_size(index: int, got: int, expected: int) -> RuntimeError:
    return RuntimeError(f"hidden{index} has inconsistent hidden_size: got {got}, expected {expected}")


def rnn_cell_hidden_dimensions(cell: str, ndim: int, index: int | None) -> ValueError:
    name = "hidden" if index is None else f"hx[{index}]"
    return ValueError(f"{cell}: Expected {name} to be 1D or 2D, got {ndim}D instead")


def rnn_cell_nonlinearity(name: object) -> RuntimeError:
    return RuntimeError(f"Unknown nonlinearity: {name}")


def rnn_hidden_size(expected: Shape, got: Shape) -> RuntimeError:
    return RuntimeError(f"Expected hidden size {tuple(expected)}, got {list(got)}")


def rnn_nonlinearity(name: object) -> ValueError:
    return ValueError(f"Unknown nonlinearity '{name}'. Select from 'tanh' or 'relu'.")


def rnn_cell_input_size(got: int, expected: int) -> RuntimeError:
    return RuntimeError(f"input has inconsistent input_size: got {got} expected {expected}")


def rnn_cell_dimensions(cell: str, ndim: int) -> ValueError:
    return ValueError(f"{cell}: Expected input to be 1D or 2D, got {ndim}D instead")
