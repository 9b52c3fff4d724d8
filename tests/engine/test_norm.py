"""Normalisation, padding, dropout and embeddings: gradients of every row, answers as recorded from PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import A, B, Case, M, N, check_gradients, check_row, rows_of, tensor
from tests.engine.statements import answer, statements

IMAGE = np.sin(np.arange(2 * 3 * 2 * 2) * 1.3).reshape(2, 3, 2, 2)
ROWS_USED = tensor(np.array([[0, 1], [1, 1]]))
STARTS = tensor(np.array([0, 3]))
TABLE = np.array([[0.3, -0.7, 0.9], [1.5, 0.2, -0.4]])
ALL = (True, True, True)


def _statistics(x: Any, axes: Any) -> tuple[Any, Any]:
    return tensor(x.mean(axes)), tensor(1 / np.sqrt(x.var(axes) + 1e-5))


def _batch_norm_backward(g: Any, x: Any, w: Any) -> Any:
    mean, scale = _statistics(x._array, (0, 2, 3))
    return ops.native_batch_norm_backward(g, x, w, None, None, mean, scale, True, 1e-5, ALL)


def _layer_norm_backward(g: Any, x: Any, w: Any, b: Any) -> Any:
    mean, scale = (t.unsqueeze(-1) for t in _statistics(x._array, -1))
    return ops.native_layer_norm_backward(g, x, (3,), mean, scale, w, b, ALL)


NORM: dict[str, Case] = {
    "native_batch_norm": (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), IMAGE, A, B),
    "native_batch_norm_backward": (_batch_norm_backward, np.cos(IMAGE), IMAGE, A),
    "native_layer_norm": (lambda x, w, b: F.layer_norm(x, (3,), w, b), M, A, B),
    "native_layer_norm_backward": (_layer_norm_backward, N, M, A, B),
    "native_group_norm": (lambda x, w, b: F.group_norm(x, 3, w, b), IMAGE, A, B),
}
LINE, SPACE = IMAGE[:, :, 0], IMAGE[:1].reshape(1, 3, 1, 2, 2).repeat(2, 2)
PAD: dict[str, Case] = {}
for _rank, _x in ((1, LINE), (2, IMAGE), (3, SPACE)):
    _margins = (1, 0) * _rank
    for _kind in ("reflection", "replication"):
        _name = f"{_kind}_pad{_rank}d"
        PAD[_name] = (lambda x, name=_name, margins=_margins: getattr(ops, name)(x, margins), _x)
        _wide = np.cos(np.arange(np.prod([*_x.shape[:2], *(n + 1 for n in _x.shape[2:])])))
        PAD[f"{_name}_backward"] = (
            lambda g, name=_name, x=_x, margins=_margins: getattr(ops, f"{name}_backward")(g, tensor(x), margins),
            _wide.reshape(*_x.shape[:2], *(n + 1 for n in _x.shape[2:])),
        )
EMBEDDING: dict[str, Case] = {
    "embedding": (lambda w: F.embedding(ROWS_USED, w), TABLE),
    "embedding_dense_backward": (
        lambda g: ops.embedding_dense_backward(g, ROWS_USED, 4, 0, False),
        np.stack([M, N])[:, :, :2].copy(),
    ),
}
BAGS: dict[str, Case] = {
    "_embedding_bag": (
        lambda w, s: F.embedding_bag(ROWS_USED.flatten(), w, STARTS, mode="sum", per_sample_weights=s),
        TABLE,
        np.array([0.4, 1.2, -0.7, 2.0]),
    )
}
WITHOUT_GRADIENT = {"_embedding_bag_backward", "_embedding_bag_per_sample_weights_backward"}
FIRST_ORDER = {"_embedding_bag", "native_batch_norm_backward", "native_layer_norm_backward"}
"""PyTorch's second gradients of normalisations take the statistics for constants, so its third ones are not exact."""
RANDOM = {"native_dropout"}
CASES = NORM | PAD | EMBEDDING | BAGS


@pytest.mark.parametrize("identifier", CASES)
def test_gradients(identifier: str) -> None:
    check_row(identifier, CASES[identifier], order=1 if identifier in FIRST_ORDER else 2)


def test_every_row_is_checked() -> None:
    assert rows_of("norm") == set(NORM)
    assert rows_of("pad") == set(PAD)
    assert rows_of("embedding") | rows_of("embedding_bag") == set(EMBEDDING) | set(BAGS) | WITHOUT_GRADIENT
    assert rows_of("dropout") == RANDOM


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_batch_norm(training: bool, weighted: bool) -> None:
    mean, var = tensor(B), tensor(abs(B) + 0.5)
    if weighted:
        check_gradients(lambda x, w, b: F.batch_norm(x, mean.clone(), var.clone(), w, b, training), IMAGE, A, B)
    else:
        check_gradients(lambda x: F.batch_norm(x, mean.clone(), var.clone(), None, None, training), IMAGE)


def test_other_normalisations() -> None:
    check_gradients(F.instance_norm, IMAGE)
    check_gradients(lambda x, w: F.rms_norm(x, (3,), w), M, A)
    check_gradients(lambda x: F.local_response_norm(x, 2), IMAGE)
    check_gradients(F.normalize, M)


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_pad_modes(mode: str) -> None:
    check_gradients(lambda x: F.pad(x, (1, 1, 0, 1), mode), IMAGE)


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_bags(mode: str) -> None:
    check_gradients(lambda w: F.embedding_bag(ROWS_USED, w, mode=mode, padding_idx=0), TABLE, order=1)


def test_dropout_scales_what_it_keeps() -> None:
    torch.manual_seed(0)
    x = torch.ones(1000, requires_grad=True)
    y = F.dropout(x, 0.25)
    y.sum().backward()
    assert set(y.tolist()) == {0.0, float(np.float32(1 / 0.75))} and torch.equal(x.grad, y.detach())
    assert 0.68 < (y != 0).float().mean().item() < 0.82
    result, mask = torch.native_dropout(x, 0.25, True)
    (g,) = torch.autograd.grad(result.sum(), x)
    assert torch.equal(g != 0, mask) and torch.equal(g, result.detach())


def test_dropout_while_evaluating_is_the_tensor_itself() -> None:
    x = torch.ones(3)
    assert F.dropout(x, training=False) is x


@pytest.mark.parametrize(("statement", "expected"), statements("norm"))
def test_answers_as_recorded(statement: str, expected: str) -> None:
    assert answer(torch, statement) == expected
