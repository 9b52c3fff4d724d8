"""In which order the elements of a result lie in memory, where PyTorch does not leave that to chance.

numpy keeps the order that all operands agree on, and otherwise takes C's. PyTorch's elementwise kernels follow the
first operand, many other kernels always answer contiguously, and those of images keep the channels last. A program
sees it: `is_contiguous()` and `stride()` say it, `view` refuses some orders, and `reshape` copies where it must, which
is another node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from engine.codegen.call import Emitter

ndarray = np.ndarray

CONTIGUOUS = frozenset(
    "sum sum_dim mean mean_dim nansum prod prod_dim_int var std var_mean std_mean max_dim amax min_dim amin median_dim"
    " nanmedian_dim mode kthvalue aminmax linalg_vector_norm norm_ScalarOpt_dim all any argmax argmin count_nonzero"
    " logsumexp logcumsumexp cummax cummin softmax log_softmax _safe_softmax log_sigmoid rrelu_with_noise gather"
    " masked_fill_Scalar masked_fill_Tensor renorm stack one_hot scatter_src scatter_value scatter_src_reduce"
    " scatter_value_reduce scatter_add scatter_reduce index_add index_copy roll tril triu pow_Scalar _cdist_forward"
    " linalg_cross index_fill_int_Scalar index_fill_int_Tensor".split()
)
"""Ops whose results are contiguous whatever their operands are."""

ALIKE = frozenset(
    "sigmoid silu mish softplus sort sort_stable argsort flip complex polar abs angle huber_loss binary_cross_entropy"
    " heaviside".split()
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


def contiguous(out: Any) -> Any:
    """The array, or each of them, in C's order."""
    if type(out) is ndarray:
        return out if out.flags.c_contiguous else np.ascontiguousarray(out)
    return [contiguous(x) for x in out] if type(out) in (tuple, list) else out


def alike(out: Any, *operands: Any) -> Any:
    """The array, or each of them, in the order of the first operand that has one, then the second, as a dense block."""
    if type(out) in (tuple, list):
        return [alike(x, *operands) for x in out]
    if type(out) is not np.ndarray or out.ndim < 2:
        return out
    order = _order(out.shape, [_strides(x, out.shape) for x in operands if type(x) is np.ndarray])
    laid = out.transpose(order)
    return out if laid.flags.c_contiguous else np.ascontiguousarray(laid).transpose(np.argsort(order))


def in_memory_order(like: Any, draw: Callable[[tuple[int, ...]], Any]) -> Any:
    """What `draw(shape)` gives one after the other, put where the elements of `like` lie in memory."""
    if like.ndim < 2 or like.flags.c_contiguous:
        return draw(like.shape)
    order = _order(like.shape, [list(like.strides)])
    return draw(tuple([like.shape[axis] for axis in order])).transpose(np.argsort(order))


def _strides(operand: Any, shape: tuple[int, ...]) -> list[int]:
    """Strides of an operand along the dimensions of the result; 0 where it is repeated."""
    missing = len(shape) - operand.ndim
    own = [
        0 if size == 1 and whole != 1 else stride
        for size, whole, stride in zip(operand.shape, shape[missing:], operand.strides, strict=True)
    ]
    return [0] * missing + own


def _order(shape: tuple[int, ...], strides: list[list[int]]) -> list[int]:
    """The dimensions, slowest first: PyTorch's insertion sort, in which dimensions that nobody orders stay."""

    def faster(a: int, b: int) -> int:
        for own in strides:
            if own[a] == 0 or own[b] == 0:
                continue
            if own[a] != own[b]:
                return -1 if own[a] < own[b] else 1
            if shape[a] > shape[b]:
                return 1
        return 0

    order = list(range(len(shape)))[::-1]
    for i in range(1, len(order)):
        place = i
        for before in range(i - 1, -1, -1):
            verdict = faster(order[before], order[place])
            if verdict > 0:
                order[before], order[place] = order[place], order[before]
                place = before
            elif verdict < 0:
                break
    return order[::-1]


def channels_last(out: Any, like: Any) -> Any:
    """The images with their channels last in memory where those of `like` are."""
    if like.flags.c_contiguous or not like.transpose(0, 2, 3, 1).flags.c_contiguous:
        return contiguous(out)
    if type(out) in (tuple, list):
        return [channels_last(x, like) for x in out]
    if type(out) is not np.ndarray or out.ndim != 4:
        return out
    return np.ascontiguousarray(out.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
