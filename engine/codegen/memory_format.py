"""In which order the elements of a result lie in memory, where PyTorch does not leave that to chance.

numpy keeps the order that all operands agree on, and otherwise takes C's. PyTorch's elementwise kernels follow the
first operand, many other kernels always answer contiguously, and those of images keep the channels last. A program
sees it: `is_contiguous()` and `stride()` say it, `view` refuses some orders, and `reshape` copies where it must, which
is another node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.codegen.call import Emitter

CONTIGUOUS = frozenset(
    "sum sum_dim mean mean_dim nansum prod prod_dim_int var std var_mean std_mean max_dim amax min_dim amin median_dim"
    " nanmedian_dim mode kthvalue aminmax linalg_vector_norm norm_ScalarOpt_dim all any argmax argmin count_nonzero"
    " logsumexp logcumsumexp cummax cummin softmax log_softmax _safe_softmax log_sigmoid rrelu_with_noise gather"
    " masked_fill_Scalar masked_fill_Tensor renorm stack one_hot scatter_src scatter_value scatter_src_reduce"
    " scatter_value_reduce scatter_add scatter_reduce index_add index_copy roll tril triu pow_Scalar _cdist_forward"
    " linalg_cross masked_scatter mvlgamma".split()
)
"""Ops whose results are contiguous whatever their operands are."""

ALIKE = frozenset(
    "sigmoid silu mish softplus sort sort_stable argsort flip complex polar abs angle huber_loss binary_cross_entropy"
    " heaviside put".split()
)
"""Ops whose results lie like their first operand; so do those of all ops that promote several operands."""

CHANNELS_LAST = frozenset(
    "cat constant_pad_nd convolution max_pool2d_with_indices avg_pool2d _adaptive_avg_pool2d adaptive_max_pool2d"
    " native_group_norm upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d".split()
)
"""Ops on images: channels that come last in memory stay last."""


def code(op: Emitter) -> list[str]:
    """Code that brings the elements of an op's result `out_` into PyTorch's order."""
    first, kind = op.parameters[0].name + "_", op.parameters[0].kind
    if op.identifier in CONTIGUOUS:
        test = "True" if op.outputs else "type(out_) is ndarray and not out_.flags.c_contiguous"
        return [f"    if {test}: out_ = contiguous(out_)"]
    if op.identifier in CHANNELS_LAST:
        image = f"{first}[0]" if kind == "tensors" else first
        return [f"    if {image}.ndim == 4: out_ = channels_last(out_, {image})"]
    operands = [p.name + "_" for p in op.parameters if p.kind in ("grad", "tensor")]
    if op.identifier in ALIKE or len(op.promote) > 1 and len(operands) > 1 and not op.outputs:
        test = f"type({operands[0]}) is ndarray and {operands[0]}.ndim > 1 and not {operands[0]}.flags.c_contiguous"
        return [f"    if {test}: out_ = alike(out_, {', '.join(operands)})"]
    return []
