"""`nn.functional.embedding`."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.op import OPS
from engine.ops.embedding import check_indices
from engine.surface import public
from engine.tensor import Tensor, write


def padding_row(padding_idx: int | None, rows: int) -> int:
    """The padding row counted from the front, -1 for none. AssertionError when there is no such row."""
    if padding_idx is None:
        return -1
    if not -rows <= padding_idx < rows:
        raise errors.padding_index()
    return padding_idx % rows


def shorten_rows(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are about to be used down to a norm of at most `max_norm`, in place."""
    check_indices(indices._a, weight.shape[0], "embedding_renorm_")
    used = np.unique(indices._a)
    rows = weight._a[used]
    norms = np.linalg.norm(rows, norm_type, axis=1, keepdims=True)
    scale = np.where(norms > max_norm, max_norm / (norms + 1e-7), 1).astype(rows.dtype)
    values = weight._a.copy()
    values[used] = rows * scale
    write(weight, values)


@public("nn", "embedding")
def embedding(
    input: Tensor,  # noqa: A002 - PyTorch's name
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
    if sparse:
        raise errors.sparse_gradient()
    row = padding_row(padding_idx, weight.shape[0])
    if max_norm is not None:
        shorten_rows(weight, input, max_norm, norm_type)
    return OPS["embedding"].call(weight, input, row, scale_grad_by_freq, sparse)  # type: ignore[no-any-return]


@public("torch", "embedding")
def torch_embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    """`nn.functional.embedding` with the table first."""
    return OPS["embedding"].call(weight, indices, padding_idx, scale_grad_by_freq, sparse)
