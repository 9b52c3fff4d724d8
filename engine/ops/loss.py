"""Losses and their backward helpers. `reduction`: 0 none, 1 mean, 2 sum, as PyTorch saves it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.loss import MEAN
from engine.kernels.memory_format import alike
from engine.ops.reduction import values


@rule
def averaged(g: Any, reduction: int, size: int) -> Any:
    """The gradient of each element's loss: a mean divides by their number."""
    return g / size if reduction == MEAN else g


@rule
def numel(x: Any) -> int:
    return int(values(x).size)


@rule
def collected(slope: Any, reduction: int) -> Any:
    """The slope of a backward helper in its incoming gradient, which is one number when the loss was reduced."""
    return ops.sum(slope) if reduction else slope


@rule
def one_like(g: Any) -> Any:
    array = np.ones_like(values(g))[()]
    return constant(array) if isinstance(g, Tensor) else array


MSE = "the derivative of a square: 2 · (input − target), divided by how many there are for a mean"
op(
    "mse_loss(self, target, reduction=1)", "MseLossBackward0", "mse_kernel(self, target, reduction)",
    promote="self target",
    numbers=False, self="mse_loss_backward(g, self, target, reduction)",
    target="mse_loss_backward(g, target, self, reduction)",
    inplace=False, says=MSE, vmap=rules.loss, broadcasts=True, refuses={"c": "mse_cpu"}, autocast="fp32",
)
op(
    "mse_loss_backward(grad_output, self, target, reduction)", "MseLossBackwardBackward0",
    "mse_backward_kernel(grad_output, self, target, reduction)", inplace=False,
    grad_output="mse_loss_backward(g, self, target, reduction)",
    self="averaged(2 * (g * grad_output), reduction, numel(self))",
    target="-averaged(2 * (g * grad_output), reduction, numel(self))", says=MSE, keeps="target",
    memory_format="contiguous", formula_format="contiguous",
)


@rule
def huber_double_backward(g: Any, self: Any, target: Any, reduction: int, width: float, flat: bool) -> Any:
    """The second derivative of a loss that is a parabola up to `width` and straight beyond; `flat`: with slope 1."""
    array = values(self)
    inside: Any = (np.abs(array - values(target)) < width).astype(array.dtype)
    bent = g * (constant(inside) if isinstance(self, Tensor) else inside)
    return averaged(bent / width if flat else bent, reduction, numel(self))


SMOOTH = "a parabola near the target, a straight line beyond: the derivative is limited to ±1"
HUBER = "a parabola near the target, a straight line beyond: the derivative is limited to ±delta"
op(
    "smooth_l1_loss(self, target, reduction=1, beta: Scalar = 1.0)", "SmoothL1LossBackward0",
    "smooth_l1_kernel(self, target, reduction, beta)", promote="self target", numbers=False, inplace=False,
    self="smooth_l1_loss_backward(g, self, target, reduction, beta)",
    target="smooth_l1_loss_backward(g, target, self, reduction, beta)", says=SMOOTH, vmap=rules.loss, broadcasts=True,
    cost=50, backward_cost=1, refuses={"c": "smooth_l1_cpu"}, autocast="fp32",
)
op(
    "smooth_l1_loss_backward(grad_output, self, target, reduction, beta)", "SmoothL1LossBackwardBackward0",
    "smooth_l1_backward_kernel(grad_output, self, target, reduction, beta)", inplace=False,
    grad_output="smooth_l1_loss_backward(g, self, target, reduction, beta)",
    self="huber_double_backward(g * grad_output, self, target, reduction, beta, True)",
    target="-huber_double_backward(g * grad_output, self, target, reduction, beta, True)", says=SMOOTH,
    memory_format="contiguous", formula_format="contiguous", opmath="bfloat16",
)
op(
    "huber_loss(self, target, reduction=1, delta: Scalar = 1.0)", "HuberLossBackward0",
    "huber_kernel(self, target, reduction, delta)",
    inplace=False, self="huber_loss_backward(g, self, target, reduction, delta)",
    target="huber_loss_backward(g, target, self, reduction, delta)", says=HUBER, vmap=rules.loss, broadcasts=True,
    cost=50, backward_cost=1, memory_format="preserve", refuses={"c": "huber_cpu"}, autocast="fp32",
)
op(
    "huber_loss_backward(grad_output, self, target, reduction, delta)", "HuberLossBackwardBackward0",
    "huber_backward_kernel(grad_output, self, target, reduction, delta)", inplace=False,
    grad_output="huber_loss_backward(g, self, target, reduction, delta) if reduction == 0 else "
                "collected(huber_loss_backward(one_like(grad_output), self, target, reduction, delta) * g, reduction)",
    self="huber_double_backward(g * grad_output, self, target, reduction, delta, False)",
    target="-huber_double_backward(g * grad_output, self, target, reduction, delta, False)", says=HUBER,
    memory_format="contiguous", formula_format="contiguous",
)

NLL = "each row's gradient goes to the element of its target class, with a minus"
for _name, _node in (("nll_loss", "NllLoss"), ("nll_loss2d", "NllLoss2D")):
    op(
        f"{_name}(self, target: Tensor, weight: Tensor = None, reduction=1, ignore_index=-100)", f"{_node}Backward0",
        "nll_kernel(self, target, weight, reduction, ignore_index)", outputs="output total_weight!", inplace=False,
        self=f"{_name}_backward(g, self, target, weight, reduction, ignore_index, total_weight)", says=NLL,
        vmap=rules.nll_loss, backward_cost=0 if _name == "nll_loss" else 2, autocast="fp32",
        refuses={"c": "nll_loss_out_frame"} if _name == "nll_loss" else {},
    )
    op(
        f"{_name}_backward(grad_output, self, target: Tensor, weight: Tensor = None, reduction=1, ignore_index=-100, "
        "total_weight: Tensor = None)",
        f"{_node}BackwardBackward0",
        "nll_backward_kernel(grad_output, self, target, weight, reduction, ignore_index, total_weight)", inplace=False,
        grad_output=f"{_name}(g, target, weight, reduction, ignore_index)[0]", self="zero_like(g)", says=NLL,
        memory_format="contiguous", formula_format="contiguous",
    )

@rule
def weighted(g: Any, weight: Any) -> Any:
    return g if weight is None else g * weight


def into(slope: Any, g: Any) -> Any:
    """`slope * g`, which PyTorch computes in the memory of the slope: it keeps a copy to differentiate once more."""
    return slope.mul_(g) if isinstance(slope, Tensor) else slope * g


@rule
def bce_target_backward(g: Any, self: Any, weight: Any, reduction: int) -> Any:
    return averaged(weighted(into(-ops.logit(self), g), weight), reduction, numel(self))


@rule
def bce_derivative(self: Any, target: Any) -> Any:
    return (self - target) / ((self + 1e-12) * (1 - self + 1e-12))


@rule
def bce_double_backward(g: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    below, above = self + 1e-12, 1 - self + 1e-12
    bend = (self * self - 2 * self * target + target) / (below ** 2 * above ** 2)
    return averaged(weighted(bend * g, weight), reduction, numel(self))


@rule
def bce_double_backward_grad_output(g: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    slope = weighted(bce_derivative(self, target) * g, weight)
    return ops.sum(averaged(slope, reduction, numel(self))) if reduction else slope


BCE = "the derivative is (input − target)/(input · (1 − input)): the chance minus the truth over the spread"
op(
    "binary_cross_entropy(self, target, weight: Tensor = None, reduction=1)", "BinaryCrossEntropyBackward0",
    "bce_kernel(self, target, weight, reduction)", inplace=False,
    self="binary_cross_entropy_backward(g, self, target, weight, reduction)",
    target="bce_target_backward(g, self, weight, reduction)", says=BCE, vmap=rules.loss, broadcasts=True, cost=20,
    memory_format="preserve", refuses={"c": "binary_cross_entropy"}, autocast="fp32",
)
op(
    "binary_cross_entropy_backward(grad_output, self, target, weight: Tensor = None, reduction=1)",
    "BinaryCrossEntropyBackwardBackward0", "bce_backward_kernel(grad_output, self, target, weight, reduction)",
    inplace=False,
    grad_output="bce_double_backward_grad_output(g, self, target, weight, reduction)",
    self="bce_double_backward(g * grad_output, self, target, weight, reduction)",
    target="averaged(weighted(-g * grad_output / ((1 - self) * self), weight), reduction, numel(self))", says=BCE,
)


@rule
def bce_logits_backward(g: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    if pos_weight is None:
        slope = (ops.sigmoid(self) - target) * g
    else:
        t = pos_weight * target
        slope = ((t + 1 - target) * ops.sigmoid(self) - t) * g
    found = averaged(weighted(slope, weight), reduction, numel(self))
    return found if isinstance(found, Tensor) else alike(found, self)


@rule
def bce_logits_target_backward(g: Any, self: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    if pos_weight is None:
        slope = -self * g
    else:
        slope = into(ops.log_sigmoid(-self) - ops.log_sigmoid(self) * pos_weight, g)
    return averaged(weighted(slope, weight), reduction, numel(self))


op(
    "binary_cross_entropy_with_logits(self, target, weight: Tensor = None, pos_weight: Tensor = None, reduction=1)",
    "BinaryCrossEntropyWithLogitsBackward0", "bce_logits_kernel(self, target, weight, pos_weight, reduction)",
    inplace=False,
    self="bce_logits_backward(g, self, target, weight, pos_weight, reduction)",
    target="bce_logits_target_backward(g, self, weight, pos_weight, reduction)",
    says="the derivative is sigmoid(input) − target: what was predicted minus what was true",
    vmap=rules.binary_cross_entropy_with_logits, broadcasts=True, cost=20, backward_cost=1,
    refuses={"biuc": "log_sigmoid_cpu"}, autocast="fp32",
)

@rule
def soft_margin_double_backward(g: Any, self: Any, target: Any, reduction: int) -> Any:
    z = ops.exp(self * -target)
    above = z + 1
    return averaged(g * (target * target) * z / (above * above), reduction, numel(self))


op(
    "soft_margin_loss(self, target: Tensor, reduction=1)", "SoftMarginLossBackward0",
    "soft_margin_kernel(self, target, reduction)", inplace=False,
    self="soft_margin_loss_backward(g, self, target, reduction)",
    says="the derivative fades once the margin is won", vmap=rules.loss, broadcasts=True, autocast="fp32",
)
op(
    "soft_margin_loss_backward(grad_output, self, target: Tensor, reduction)", "SoftMarginLossBackwardBackward0",
    "soft_margin_backward_kernel(grad_output, self, target, reduction)", inplace=False,
    grad_output="collected(soft_margin_loss_backward(one_like(grad_output), self, target, reduction) * g, reduction)",
    self="soft_margin_double_backward(g * grad_output, self, target, reduction)",
    says="the second derivative of a soft margin", memory_format="preserve", formula_format="preserve",
    opmath="bfloat16",
)

op(
    "multi_margin_loss(self, target: Tensor, p=1, margin=1.0, weight: Tensor = None, reduction=1)",
    "MultiMarginLossBackward0",
    "multi_margin_kernel(self, target, p, margin, weight, reduction)", inplace=False,
    self="multi_margin_loss_backward(g, self, target, p, margin, weight, reduction)",
    says="classes within the margin are pushed down, the target class up by as much", cost=50, backward_cost=2,
    autocast="fp32", opmath="bfloat16",
)
op(
    "multi_margin_loss_backward(grad_output, self, target: Tensor, p, margin, weight: Tensor = None, reduction=1)",
    "NotImplemented",
    "multi_margin_backward_kernel(grad_output, self, target, p, margin, weight, reduction)", inplace=False,
    grad_output="underivable('multi_margin_loss_backward')", self="underivable('multi_margin_loss_backward')",
    says="PyTorch has no gradient for it", memory_format="contiguous", formula_format="contiguous", opmath="bfloat16",
)

op(
    "multilabel_margin_loss(self, target: Tensor, reduction=1)", "MultilabelMarginLossBackward0",
    "multilabel_margin_kernel(self, target, reduction)", inplace=False,
    self="multilabel_margin_loss_backward(g, self, target, reduction)",
    shows={"is_target": "listed_labels(self, target)"},
    says="every pair of a label and another class that breaks the margin is pushed apart", autocast="fp32",
    opmath="bfloat16",
)
op(
    "multilabel_margin_loss_backward(grad_output, self, target: Tensor, reduction)", "NotImplemented",
    "multilabel_margin_backward_kernel(grad_output, self, target, reduction)", inplace=False,
    grad_output="underivable('multilabel_margin_loss_backward')", self="underivable('multilabel_margin_loss_backward')",
    says="PyTorch has no gradient for it", memory_format="contiguous", formula_format="contiguous", opmath="bfloat16",
)
