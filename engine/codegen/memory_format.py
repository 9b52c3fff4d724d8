"""In which order the elements of a result lie in memory, where PyTorch does not leave that to chance.

numpy keeps the order that all operands agree on, and otherwise takes C's. PyTorch's elementwise kernels follow the
first operand, many other kernels always answer contiguously, and those of images keep the channels last. A program
sees it: `is_contiguous()` and `stride()` say it, `view` refuses some orders, and `reshape` copies where it must, which
is another node.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.kernels.memory_format import alike, channels_last, contiguous

if TYPE_CHECKING:
    from engine.codegen.call import Emitter

GRADIENTS_CONTIGUOUS = frozenset(
    "mse_loss_backward smooth_l1_loss_backward huber_loss_backward nll_loss_backward nll_loss2d_backward"
    " multi_margin_loss_backward multilabel_margin_loss_backward _cdist_backward masked_fill_Scalar stack".split()
)
"""Ops that give contiguous results as parts of gradients, too."""

GRADIENTS_ALIKE = frozenset(
    "where flip softplus_backward elu_backward glu_backward soft_margin_loss_backward".split()
)
"""Ops whose results lie like their first operand as parts of gradients, too."""

CONTIGUOUS = frozenset(
    "sum sum_dim mean mean_dim nansum prod prod_dim_int var std var_mean std_mean max_dim amax min_dim amin median_dim"
    " nanmedian_dim mode kthvalue aminmax linalg_vector_norm norm_ScalarOpt_dim all any argmax argmin count_nonzero"
    " logsumexp logcumsumexp cummax cummin softmax log_softmax _safe_softmax log_sigmoid rrelu_with_noise gather"
    " masked_fill_Scalar masked_fill_Tensor renorm stack one_hot scatter_src scatter_value scatter_src_reduce"
    " scatter_value_reduce scatter_add scatter_reduce index_add index_copy tril triu pow_Scalar _cdist_forward"
    " linalg_cross masked_scatter mvlgamma topk".split()
) | GRADIENTS_CONTIGUOUS
"""Ops whose results are contiguous whatever their operands are."""

ALIKE = frozenset(
    "sigmoid silu mish softplus sort sort_stable argsort flip complex polar abs angle huber_loss binary_cross_entropy"
    " heaviside put glu round_decimals fill_Scalar fill_Tensor polygamma logical_and logical_or logical_xor"
    " isclose".split()
) | GRADIENTS_ALIKE
"""Ops whose results lie like their first operand; so do those of all ops that promote several operands."""

ALIKE_SELF = frozenset({"ldexp"})
"""Ops whose results lie like their first operand, and never like the second."""

CHANNELS_LAST = frozenset(
    "cat constant_pad_nd convolution max_pool2d_with_indices avg_pool2d _adaptive_avg_pool2d adaptive_max_pool2d"
    " native_group_norm upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d"
    " reflection_pad2d replication_pad2d pixel_shuffle pixel_unshuffle channel_shuffle roll max_unpool2d".split()
)
"""Ops on images: channels that come last in memory stay last."""


GRADIENTS_OF_IMAGES = frozenset(
    "avg_pool2d_backward _adaptive_avg_pool2d_backward adaptive_max_pool2d_backward"
    " max_pool2d_with_indices_backward reflection_pad2d_backward replication_pad2d_backward".split()
)
"""Ops of which channels come last where those of their second operand, the image, do."""

GRADIENTS_AS_THEY_COME = frozenset(
    "upsample_nearest2d_backward _upsample_nearest_exact2d_backward upsample_bilinear2d_backward"
    " pixel_shuffle pixel_unshuffle channel_shuffle roll".split()
)
"""Ops of which channels come last where those of their first operand, what arrives, do."""

_BOTH = "self other"
MIXED = {
    "mul": _BOTH, "div": _BOTH, "hypot": _BOTH, "atan2": _BOTH, "maximum": _BOTH, "minimum": _BOTH, "logaddexp": _BOTH,
    "logaddexp2": _BOTH, "remainder": "other", "fmod": "other", "xlogy": "other", "special_xlog1py": "other",
    "nextafter": "self", "pow_Tensor_Tensor": "exponent", "addcmul": "tensor1 tensor2", "addcdiv": "tensor1 tensor2",
    "lerp_Tensor": "self end weight", "clamp_Tensor": "self min max",
    "clamp_min_Tensor": "self min", "clamp_max_Tensor": "self max",
}  # fmt: skip
"""Ops whose gradients for these operands lie like what arrives, whatever the other operands look like."""

MASKED = frozenset("atan2 maximum minimum".split())
"""Those of them that, where what arrives was spread out, lie like `self`, and else like `other`."""


def of_gradient(identifier: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel of an op as formulas of gradients call it: its result lies in memory as PyTorch's does."""
    arrange = next((arrange for names, arrange in _ARRANGED if identifier in names), None)
    if arrange is None:
        return kernel

    @functools.wraps(kernel)
    def laid_out(*arguments: Any, **options: Any) -> Any:
        return arrange(kernel(*arguments, **options), arguments)

    return laid_out


def _like_operands(out: Any, arguments: Sequence[Any]) -> Any:
    for x in arguments:
        if type(x) is np.ndarray and not x.flags.c_contiguous:
            return alike(out, *arguments)
    return out


_ARRANGED: tuple[tuple[frozenset[str], Callable[[Any, Sequence[Any]], Any]], ...] = (
    (GRADIENTS_CONTIGUOUS, lambda out, _: contiguous(out)),
    (GRADIENTS_ALIKE, _like_operands),
    (GRADIENTS_AS_THEY_COME, lambda out, operands: channels_last(out, operands[0]) if operands[0].ndim == 4 else out),
    (GRADIENTS_OF_IMAGES, lambda out, operands: channels_last(out, operands[1]) if operands[1].ndim == 4 else out),
)


def code(op: Emitter) -> list[str]:
    """Code that brings the elements of an op's result `out_` into PyTorch's order."""
    first, kind = op.parameters[0].name + "_", op.parameters[0].kind
    if op.identifier in CONTIGUOUS:
        test = "True" if op.outputs else "type(out_) is ndarray and not out_.flags.c_contiguous"
        return [f"    if {test}: out_ = contiguous(out_)"]
    if op.identifier in CHANNELS_LAST:
        if op.identifier == "convolution":  # the weight's channels decide as well
            return [f"    if {first}.ndim == 4: out_ = channels_last(out_, {first}, weight_)"]
        image = f"{first}[0]" if kind == "tensors" else first
        return [f"    if {image}.ndim == 4: out_ = channels_last(out_, {image})"]
    operands = [p.name + "_" for p in op.parameters if p.kind in ("grad", "tensor")]
    if op.identifier in ALIKE_SELF:
        own = f"type({first}) is ndarray and {first}.shape == out_.shape"
        return [f"    if type(out_) is ndarray: out_ = alike(out_, {first}) if {own} else contiguous(out_)"]
    if op.identifier in ALIKE or len(op.promote) > 1 and len(operands) > 1 and not op.outputs:
        shaped = operands if len(operands) > 2 else operands[:1]
        test = " or ".join(f"type({x}) is ndarray and {x}.ndim > 1 and not {x}.flags.c_contiguous" for x in shaped)
        if len(operands) == 2:
            a, b = operands
            test += f" or type({b}) is ndarray and {b}.ndim > 1 and not {b}.flags.c_contiguous"
            test += f" and getattr({a}, 'shape', ()) != {b}.shape"
        return [f"    if {test}: out_ = alike(out_, {', '.join(operands)})"]
    return []
