"""Losses: gradients of every row and every reduction, targets, warnings and refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine.torch as torch
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.nn import functional as F  # noqa: N812
from tests.engine.gradients import POSITIVE, UNIT, A, B, Case, M, N, array, check_gradients, check_row, rows_of, tensor

CLASSES = tensor(np.array([2, 0]))
WEIGHT = tensor(array(0.4, 1.2, 2.0))
SIGNS = tensor(array(1, -1, 1))
G = np.float64(0.8)
PIXELS = np.linspace(-1, 1, 24).reshape(2, 3, 2, 2) ** 3
PLACES = tensor(np.arange(8).reshape(2, 2, 2) % 3)
LABELS = tensor(np.array([[0, 2, -1], [1, -1, 0]]))
REDUCTIONS = ["none", "mean", "sum"]

ROWS: dict[str, Case] = {
    "mse_loss": (F.mse_loss, A, B),
    "mse_loss_backward": (lambda g, x, y: ops.mse_loss_backward(g, x, y, 1), G, A, B),
    "smooth_l1_loss": (lambda x, y: F.smooth_l1_loss(x, y, beta=0.6), A, B),
    "smooth_l1_loss_backward": (lambda g, x, y: ops.smooth_l1_loss_backward(g, x, y, 2, 0.6), G, A, B),
    "huber_loss": (lambda x, y: F.huber_loss(x, y, delta=0.6), A, B),
    "huber_loss_backward": (lambda g, x, y: ops.huber_loss_backward(g, x, y, 1, 0.6), G, A, B),
    "nll_loss": (lambda x: F.nll_loss(x, CLASSES, WEIGHT), M),
    "nll_loss_backward": (lambda g, x: ops.nll_loss_backward(g, x, CLASSES, None, 1, -100, tensor(2.0)), G, M),
    "nll_loss2d": (lambda x: F.nll_loss(x, PLACES), PIXELS),
    "nll_loss2d_backward": (lambda g, x: ops.nll_loss2d_backward(g, x, PLACES, None, 2, -100, tensor(8.0)), G, PIXELS),
    "binary_cross_entropy": (F.binary_cross_entropy, UNIT, UNIT[::-1].copy()),
    "binary_cross_entropy_backward": (
        lambda g, x, y: ops.binary_cross_entropy_backward(g, x, y, None, 1),
        G,
        UNIT,
        UNIT[::-1].copy(),
    ),
    "binary_cross_entropy_with_logits": (
        lambda x, y: F.binary_cross_entropy_with_logits(x, y, WEIGHT, pos_weight=WEIGHT),
        A,
        UNIT,
    ),
    "soft_margin_loss": (lambda x: F.soft_margin_loss(x, SIGNS), A),
    "soft_margin_loss_backward": (lambda g, x: ops.soft_margin_loss_backward(g, x, SIGNS, 1), G, A),
}
FIRST_ORDER: dict[str, Case] = {
    "multi_margin_loss": (lambda x: F.multi_margin_loss(x, CLASSES, weight=WEIGHT), M),
    "multilabel_margin_loss": (lambda x: F.multilabel_margin_loss(x, LABELS), M * 0.9),
}
WITHOUT_GRADIENT = {"multi_margin_loss_backward", "multilabel_margin_loss_backward"}


@pytest.mark.parametrize("identifier", ROWS)
def test_gradients(identifier: str) -> None:
    check_row(identifier, ROWS[identifier])


@pytest.mark.parametrize("identifier", FIRST_ORDER)
def test_gradients_of_losses_without_a_second(identifier: str) -> None:
    check_row(identifier, FIRST_ORDER[identifier], order=1)


def test_every_row_is_checked() -> None:
    assert rows_of("loss") == set(ROWS) | set(FIRST_ORDER) | WITHOUT_GRADIENT


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (F.mse_loss, (A, B)),
        (F.l1_loss, (A, B)),
        (F.smooth_l1_loss, (A, B)),
        (F.huber_loss, (A, B)),
        (F.binary_cross_entropy, (UNIT, UNIT[::-1].copy())),
        (F.binary_cross_entropy_with_logits, (A, UNIT)),
        (lambda x, **k: F.cross_entropy(x, CLASSES, **k), (M,)),
        (lambda x, **k: F.cross_entropy(x, CLASSES, WEIGHT, label_smoothing=0.2, **k), (M,)),
        (lambda x, y, **k: F.cross_entropy(x, y, **k), (M, abs(N))),
        (lambda x, **k: F.nll_loss(x, PLACES, WEIGHT, ignore_index=1, **k), (PIXELS,)),
        (F.kl_div, (A, UNIT)),
        (lambda x, y, **k: F.kl_div(x, y, log_target=True, **k), (A, B)),
        (lambda x, **k: F.hinge_embedding_loss(x, SIGNS, **k), (A,)),
        (lambda x, y, **k: F.margin_ranking_loss(x, y, SIGNS, 0.15, **k), (A, B)),
        (lambda x, **k: F.soft_margin_loss(x, SIGNS, **k), (A,)),
        (lambda x, **k: F.multilabel_soft_margin_loss(x, tensor((N > 0) * 1.0), **k), (M,)),
        (lambda x, y, **k: F.cosine_embedding_loss(x, y, tensor(array(1, -1)), 0.1, **k), (M, N)),
        (lambda x, y, **k: F.poisson_nll_loss(x, y, full=True, **k), (A, POSITIVE)),
        (lambda x, y, z, **k: F.gaussian_nll_loss(x, y, z, **k), (A, B, POSITIVE)),
    ],
)
@pytest.mark.filterwarnings("ignore:reduction")
def test_reductions(f: Any, inputs: tuple[Any, ...], reduction: str) -> None:
    check_gradients(lambda *x: f(*x, reduction=reduction), *inputs)


SCORES = np.sin(np.arange(40.0) ** 1.5).reshape(5, 2, 4)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_ctc_loss_of_log_softmax(reduction: str) -> None:
    labels, steps, lengths = tensor(np.array([[1, 2, 1], [3, 3, 0]])), (5, 4), (3, 2)
    check_gradients(
        lambda x: F.ctc_loss(x.log_softmax(2), labels, steps, lengths, reduction=reduction), SCORES, order=1
    )
    check_gradients(
        lambda x: F.ctc_loss(x.log_softmax(2), tensor(np.array([1, 2, 2])), (5, 5), (2, 1), blank=3), SCORES, order=1
    )


def test_ctc_loss_of_an_impossible_alignment() -> None:
    x = torch.zeros(2, 1, 4, requires_grad=True)
    args = x.log_softmax(2), torch.tensor([[1, 1]]), torch.tensor([2]), torch.tensor([2])
    assert F.ctc_loss(*args).item() == math.inf
    loss = F.ctc_loss(*args, zero_infinity=True)
    loss.backward()
    assert loss.item() == 0 and x.grad.abs().sum().item() == 0  # type: ignore[union-attr]
    assert type(F.ctc_loss(*args, reduction="none").grad_fn).__name__ == "CtcLossBackward0"


def test_batch_mean_of_kl_div() -> None:
    check_gradients(lambda x, y: F.kl_div(x, y, reduction="batchmean"), M, abs(N))


def test_cross_entropy_of_one_row_and_ignored_targets() -> None:
    check_gradients(lambda x: F.cross_entropy(x, tensor(np.int64(1))), A)
    check_gradients(lambda x: F.cross_entropy(x, tensor(np.array([2, -100]))), M)
    assert math.isnan(F.nll_loss(torch.zeros(2, 3), torch.tensor([-100, -100])).item())


def test_cross_entropy_is_nll_of_log_softmax_in_the_graph() -> None:
    loss = F.cross_entropy(torch.zeros(2, 3, requires_grad=True), torch.tensor([0, 1]))
    node = loss.grad_fn
    assert type(node).__name__ == "NllLossBackward0"
    assert type(node.next_functions[0][0]).__name__ == "LogSoftmaxBackward0"  # type: ignore[union-attr]
    assert node._saved_ignore_index == 18446744073709551516  # type: ignore[union-attr]
    assert node._saved_total_weight.item() == 2  # type: ignore[union-attr]


def test_a_target_of_another_size_warns_and_broadcasts() -> None:
    with pytest.warns(UserWarning, match=r"Using a target size \(torch.Size\(\[2\]\)\) that is different"):
        assert F.mse_loss(torch.zeros(2, 1), torch.ones(2)).item() == 1


def test_flags_that_reduction_replaced() -> None:
    x, y = torch.zeros(2), torch.ones(2)
    with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
        assert F.mse_loss(x, y, size_average=False).item() == 2
    with pytest.warns(UserWarning, match="please use reduction='none' instead"):
        assert F.mse_loss(x, y, reduce=False).tolist() == [1, 1]


def test_logs_are_clamped_in_binary_cross_entropy() -> None:
    x: Tensor = torch.tensor([0.0, 1.0], requires_grad=True)
    loss = F.binary_cross_entropy(x, torch.tensor([1.0, 0.0]), reduction="none")
    assert loss.tolist() == [100, 100]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("F.mse_loss(x, x, reduction='foo')", ValueError, "foo is not a valid value for reduction"),
        ("F.mse_loss(x, 2)", AttributeError, "'int' object has no attribute 'size'"),
        ("F.cross_entropy(m, torch.tensor([0, 5]))", IndexError, "Target 5 is out of bounds."),
        (
            "F.cross_entropy(m, torch.tensor([0, 1, 2]))",
            ValueError,
            "Expected input batch_size (2) to match target batch_size (3).",
        ),
        (
            "F.cross_entropy(m, torch.tensor([0, 1], dtype=torch.int32))",
            RuntimeError,
            "expected target dtype to be Long or Byte, but got Int",
        ),
        (
            "F.cross_entropy(m, torch.tensor([0.0, 1.0]))",
            RuntimeError,
            "expected target dtype to be Long or Byte, but got Float",
        ),
        (
            "F.cross_entropy(m, 2)",
            TypeError,
            "cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not int",
        ),
        (
            "F.cross_entropy(m, torch.tensor([0, 1]), torch.ones(2))",
            RuntimeError,
            "weight tensor should be defined either for all 3 classes or no classes but got weight tensor of "
            "shape: [2]",
        ),
        ("F.binary_cross_entropy(x * 5, x)", RuntimeError, "all elements of input should be between 0 and 1"),
        (
            "F.binary_cross_entropy_with_logits(x, m)",
            ValueError,
            "Target size (torch.Size([2, 3])) must be the same as input size (torch.Size([2]))",
        ),
        (
            "F.nll_loss(torch.zeros(3), torch.tensor([0, 1]))",
            ValueError,
            "For 1D input, 1D target must have size 1, but got target size: 2",
        ),
        ("F.smooth_l1_loss(x, x, beta=-1)", RuntimeError, "smooth_l1_loss does not support negative values for beta."),
        ("F.huber_loss(x, x, delta=0)", RuntimeError, "huber_loss does not support non-positive values for delta."),
        (
            "F.mse_loss(torch.tensor([1]), torch.tensor([1]))",
            NotImplementedError,
            "\"mse_cpu\" not implemented for 'Long'",
        ),
        ("F.gaussian_nll_loss(x, x, -x)", ValueError, "var has negative entry/entries"),
    ],
)
def test_refusals(text: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        eval(text, {"F": F, "torch": torch, "x": torch.tensor([0.5, 1.0]), "m": torch.zeros(2, 3)})
    assert str(caught.value) == message
