"""Loss functions as modules."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import errors
from engine.core.inherited import written_again
from engine.core.tensor import Tensor
from engine.nn import functional as F
from engine.nn.distance import PairwiseDistance
from engine.nn.layers import LEGACY, layer
from engine.nn.linear import Linear
from engine.nn.module import Module

_TARGET, _BASE = "input: Tensor, target: Tensor", "size_average, reduce, reduction"
_AS_LOSS = {"takes": _TARGET, "base": _BASE}
_WEIGHTED = {"takes": _TARGET, "base": f"weight, {_BASE}"}
_TRIPLET = "anchor: Tensor, positive: Tensor, negative: Tensor"
_OF_TWO = {"takes": "input1: Tensor, input2: Tensor, target: Tensor", "base": _BASE}
"""What losses take, and what they hand to their bases."""


def legacy_reduction(size_average: bool | None, reduce: bool | None) -> str:
    """The `reduction` that the deprecated arguments `size_average` and `reduce` mean; warns."""
    average = True if size_average is None else size_average
    if reduce is not None and not reduce:
        reduction = "none"
    else:
        reduction = "mean" if average else "sum"
    errors.warn_size_average(reduction)
    return reduction


class _Loss(Module):
    reduction: str

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        if size_average is not None or reduce is not None:
            reduction = legacy_reduction(size_average, reduce)
        self.reduction = reduction


class _WeightedLoss(_Loss):
    weight: Any

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


@layer("", "F.l1_loss(input, target, reduction=self.reduction)", takes=_TARGET)
class L1Loss(_Loss):
    """Mean of |input - target|."""


@layer("", "F.mse_loss(input, target, reduction=self.reduction)", takes=_TARGET)
class MSELoss(_Loss):
    """Mean of (input - target)²."""


@layer(
    LEGACY + ", beta: float = 1.0",
    "F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)",
    **_AS_LOSS,
)
class SmoothL1Loss(_Loss):
    """Quadratic where |input - target| < beta, linear beyond."""


class HuberLoss(_Loss):
    """Quadratic where |input - target| < delta, linear with slope delta beyond."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if not isinstance(delta, int | float):
            raise errors.huber_delta(delta)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


@layer(
    "weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,"
    ' reduce: bool | None = None, reduction: str = "mean"',
    "F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)",
    **_WEIGHTED,
)
class NLLLoss(_WeightedLoss):
    """Negative log-likelihood of class indices: input (N, C, …) log-probabilities, target (N, …)."""


@written_again("__init__")
class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss` for images."""


@layer(
    "weight: Tensor | None = None, size_average: bool | None = None, ignore_index: int = -100,"
    ' reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0',
    "F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction,"
    " label_smoothing=self.label_smoothing)",
    **_WEIGHTED,
)
class CrossEntropyLoss(_WeightedLoss):
    """Softmax and negative log-likelihood in one: input (N, C, …) scores, target class indices or probabilities."""


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear layer without activation, and the cross entropy of what it gives: input (N, in_features)."""

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: tuple[int, ...] = (), bias: bool = False,
        device: Any = None, dtype: Any = None, reduction: str = "mean", weight: Tensor | None = None,
        ignore_index: int | None = None, label_smoothing: float = 0.0, options: Any = None,
    ) -> None:  # fmt: skip
        if weight is not None and weight.shape != (num_classes,):
            raise errors.linear_loss_weight(num_classes, weight.shape)
        if not 0 <= label_smoothing <= 1.0:
            raise errors.linear_loss_smoothing(label_smoothing)
        super().__init__(weight, None, None, reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        width = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, width, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        shape = (self.num_classes, *self.out_features)
        weight, bias = self.linear.weight, self.linear.bias
        return F.linear_cross_entropy(
            input, weight.reshape((*shape, self.linear.in_features)), target,
            linear_bias=None if bias is None else bias.reshape(shape), weight=self.weight, reduction=self.reduction,
            ignore_index=self.ignore_index, label_smoothing=self.label_smoothing, options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, out_features={self.out_features},"
            f" bias={self.linear.bias is not None}, reduction={self.reduction}, ignore_index={self.ignore_index},"
            f" label_smoothing={self.label_smoothing}, options={self.options}"
        )


@layer("", "F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)", takes=_TARGET)
class BCELoss(_WeightedLoss):
    """Binary cross entropy of probabilities."""


class BCEWithLogitsLoss(_Loss):
    """Binary cross entropy of scores, computed without overflow."""

    weight: Any
    pos_weight: Any

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


@layer(
    LEGACY + ", log_target: bool = False",
    "F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)",
    **_AS_LOSS,
)
class KLDivLoss(_Loss):
    """Kullback–Leibler divergence; input holds log-probabilities."""


@layer(
    "log_input: bool = True, full: bool = False, size_average: bool | None = None, eps: float = 1e-8,"
    ' reduce: bool | None = None, reduction: str = "mean"',
    "F.poisson_nll_loss(log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,"
    " reduction=self.reduction)",
    takes="log_input: Tensor, target: Tensor",
    base=_BASE,
)
class PoissonNLLLoss(_Loss):
    """Negative log-likelihood of counts with a Poisson distribution."""


@layer(
    '*, full: bool = False, eps: float = 1e-6, reduction: str = "mean"',
    "F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)",
    takes="input: Tensor, target: Tensor, var: Tensor | float",
    base="None, None, reduction",
)
class GaussianNLLLoss(_Loss):
    """Negative log-likelihood with a normal distribution whose variance is given too."""


@layer(
    "margin: float = 1.0, " + LEGACY,
    "F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)",
    **_AS_LOSS,
)
class HingeEmbeddingLoss(_Loss):
    """x where the target is 1, max(0, margin - x) where it is -1."""


@layer("", "F.soft_margin_loss(input, target, reduction=self.reduction)", takes=_TARGET)
class SoftMarginLoss(_Loss):
    """Mean of log(1 + exp(-target · input))."""


@layer("", "F.multilabel_margin_loss(input, target, reduction=self.reduction)", takes=_TARGET)
class MultiLabelMarginLoss(_Loss):
    """Hinge loss of several right classes for each sample."""


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """Binary cross entropy of scores, averaged over the classes."""

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Hinge loss between the right class and every other."""

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise errors.margin_power()
        if weight is not None and weight.ndim != 1:
            raise errors.multi_margin_layer_weight(weight.ndim)
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


@layer(
    "margin: float = 0.0, " + LEGACY,
    "F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)",
    **_OF_TWO,
)
class MarginRankingLoss(_Loss):
    """max(0, -target · (input1 - input2) + margin)."""


@layer(
    "margin: float = 0.0, " + LEGACY,
    "F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)",
    **_OF_TWO,
)
class CosineEmbeddingLoss(_Loss):
    """Pulls vectors together where the target is 1 and apart where it is -1, by the angle between them."""


@layer(
    "",
    "F.triplet_margin_loss(anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,"
    " reduction=self.reduction)",
    takes=_TRIPLET,
)
class TripletMarginLoss(_Loss):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin)."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise errors.triplet_margin_layer("TripletMarginLoss", margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap


@layer(
    "",
    "F.triplet_margin_with_distance_loss(anchor, positive, negative, distance_function=self.distance_function,"
    " margin=self.margin, swap=self.swap, reduction=self.reduction)",
    takes=_TRIPLET,
)
class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with a distance of the user's."""

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise errors.triplet_margin_layer("TripletMarginWithDistanceLoss", margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap


@layer(
    'blank: int = 0, reduction: str = "mean", zero_infinity: bool = False',
    "F.ctc_loss(log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity)",
    takes="log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any",
    base="reduction=reduction",
)
class CTCLoss(_Loss):
    """Connectionist temporal classification (Graves et al., 2006)."""
