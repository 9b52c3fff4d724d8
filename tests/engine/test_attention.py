"""Attention and recurrent layers: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import Case, M, check_gradients, check_row, rows_of
from tests.engine.statements import answer, statements

Q = np.sin(np.arange(1 * 2 * 3 * 2)).reshape(1, 2, 3, 2)
K, V = np.cos(Q * 2 + 0.3), np.sin(Q * 3 + 1)
MASK = torch.ones(3, 3, dtype=torch.bool).tril()
X = np.sin(np.arange(3 * 1 * 2) + 0.2).reshape(3, 1, 2)

ROWS: dict[str, Case] = {
    "_safe_softmax": (lambda x: ops._safe_softmax(x, -1), M),
    "_scaled_dot_product_flash_attention_for_cpu": (
        lambda q, k, v: ops._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, True)[0],
        Q,
        K,
        V,
    ),
}
ONLY_AS_GRADIENTS = {"_scaled_dot_product_flash_attention_for_cpu_backward"}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier], order=2 if identifier == "_safe_softmax" else 1)


def test_every_row_is_checked() -> None:
    assert rows_of("attention") == set(ROWS) | ONLY_AS_GRADIENTS
    assert rows_of("recurrent") == {"mkldnn_rnn_layer"}


@pytest.mark.parametrize("causal", [True, False])
def test_attention_is_softmax_of_products(causal: bool) -> None:
    q, k, v = (torch.tensor(a) for a in (Q, K, V))
    scores = q @ k.mT / 2**0.5
    if causal:
        scores = scores.masked_fill(~MASK, float("-inf"))
    expected = scores.softmax(-1) @ v
    assert torch.allclose(F.scaled_dot_product_attention(q, k, v, is_causal=causal), expected)


def test_a_row_that_may_look_at_nothing_is_zero() -> None:
    mask = torch.zeros(3, 3, dtype=torch.bool)
    out = F.scaled_dot_product_attention(*(torch.tensor(a[0]) for a in (Q, K, V)), attn_mask=mask)
    assert (out == 0).all()


@pytest.mark.parametrize("shape", ["three", "four"])
def test_gradients_of_attention(shape: str) -> None:
    arrays = (Q, K, V) if shape == "four" else (Q[0], K[0], V[0])
    check_gradients(lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=MASK), *arrays, order=1)


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_a_layer_is_its_cell_again_and_again(kind: str) -> None:
    torch.manual_seed(0)
    layer, cell = getattr(torch.nn, kind)(2, 3).double(), getattr(torch.nn, f"{kind}Cell")(2, 3).double()
    cell.load_state_dict({name.removesuffix("_l0"): value for name, value in layer.state_dict().items()})
    state, outputs = None, []
    for step in torch.tensor(X):
        state = cell(step, state)
        outputs.append(state[0] if kind == "LSTM" else state)
    assert torch.allclose(layer(torch.tensor(X))[0], torch.stack(outputs))


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_gradients_of_weights_through_time(kind: str) -> None:
    torch.manual_seed(1)
    layer = getattr(torch.nn, kind)(2, 3, bidirectional=True).double()
    layer(torch.tensor(X))[0].square().sum().backward()
    for parameter in layer.parameters():
        numerical = torch.zeros_like(parameter)
        for index in np.ndindex(*parameter.shape):
            sides = []
            for step in (1e-6, -1e-6):
                with torch.no_grad():
                    parameter[index] += step
                    sides.append(layer(torch.tensor(X))[0].square().sum().item())
                    parameter[index] -= step
            numerical[index] = (sides[0] - sides[1]) / 2e-6
        assert torch.allclose(parameter.grad, numerical, atol=1e-6)


@pytest.mark.parametrize(("statement", "expected"), statements("attention"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected
