"""`nn.functional.embedding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import public
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, write
from engine.kernels.embedding import check_indices


def padding_row(padding_idx: int | None, rows: int) -> int:
    """The padding row counted from the front, -1 for none. AssertionError when there is no such row."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise errors.padding_index()
    return padding_idx % rows


def shorten_rows(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are about to be used down to a norm of at most `max_norm`, in place."""
    check_indices(indices._array, weight.shape[0], "embedding_renorm_")
    used = np.unique(indices._array)
    rows = weight._array[used]
    norms = np.linalg.norm(rows, norm_type, axis=1, keepdims=True).astype(np.float64)
    scale = np.where(norms > max_norm, max_norm / (norms + 1e-7), 1).astype(rows.dtype)
    values = weight._array.copy()
    values[used] = rows * scale
    write(weight, values)


def _not_a_table(weight: Tensor) -> Exception:
    """What PyTorch says to a weight of another rank: where gradients are recorded, it has asked for its rows before."""
    recorded = state.grad and weight.requires_grad and not weight.ndim
    return errors.dim_of_no_dims(0) if recorded else errors.embedding_weight()


@public("nn", "embedding")
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of `weight` (rows, features) at the indices `input` (*) → (*, features).

    The padding row gets no gradient; `max_norm` shortens longer rows, in place.
    """
    for position, (name, value) in enumerate((("input", input), ("weight", weight)), 1):
        if not isinstance(value, Tensor):
            raise errors.argument_type("embedding", name, position, "Tensor", value)
    if weight.ndim != 2:
        raise _not_a_table(weight)
    row = padding_row(padding_idx, weight.shape[0])
    if max_norm is not None:
        shorten_rows(weight, input, max_norm, norm_type)
    return ops.embedding(weight, input, row, scale_grad_by_freq, sparse)


@public("torch", "embedding")
def torch_embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    """`nn.functional.embedding` with the table first."""
    if weight.ndim != 2:
        raise _not_a_table(weight)
    return ops.embedding(weight, indices, padding_idx, scale_grad_by_freq, sparse)


MODES = ("sum", "mean", "max")


@public("nn")
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """Sums, means or maxima of the rows of `weight` in each bag of indices → (bags, features).

    Bags are the rows of `input`, or start at `offsets` in a flat one. The padding row is not part of any bag.
    """
    if input.is_sparse or weight.is_sparse:
        raise errors.sparse_unavailable("embedding_bag()")
    if per_sample_weights is not None and tuple(input.shape) != tuple(per_sample_weights.shape):
        raise errors.bag_weights_shape(per_sample_weights.shape, input.shape)
    if weight.ndim != 2:
        raise errors.bag_table(weight.ndim)
    if input.ndim == 2:
        if offsets is not None:
            raise errors.bag_offsets_given(type(offsets))
        starts = np.arange(0, input.numel(), input.shape[1], dtype=input._array.dtype)
        offsets, include_last_offset = Tensor._from_array(starts), False
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif input.ndim == 1:
        if offsets is None or offsets.ndim != 1:
            raise errors.bag_offsets_missing(offsets is None)
    else:
        raise errors.bag_input(input.ndim)
    if mode not in MODES:
        raise errors.bag_mode()
    if mode == "max" and (scale_grad_by_freq or sparse):
        raise errors.bag_max(sparse=not scale_grad_by_freq)
    if max_norm is not None:
        shorten_rows(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise errors.bag_weights_mode(mode)
    return torch_embedding_bag(
        weight,
        input,
        offsets,
        scale_grad_by_freq,
        MODES.index(mode),
        sparse,
        per_sample_weights,
        include_last_offset,
        padding_idx,
    )[0]


@public("torch", "embedding_bag")
def torch_embedding_bag(
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> tuple[Tensor, ...]:
    """`nn.functional.embedding_bag` with the table first, and with what its gradient needs."""
    recorded = weight.requires_grad and not weight.ndim
    if indices.ndim not in (1, 2) and not recorded:
        raise errors.bag_indices(indices.ndim)
    if offsets.ndim != 1 and not recorded:
        raise errors.bag_offsets(offsets.ndim)
    if weight.ndim != 2:
        raise errors.bag_rows(weight.ndim) if weight.ndim or not weight.requires_grad else errors.dim_of_no_dims(0)
    rows = weight.shape[0]
    row = -1
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise errors.bag_padding(rows, padding_idx)
        row = padding_idx % rows
    return ops._embedding_bag(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, row
    )
