"""Embeddings: rows of a table, and sums of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.codegen.latex import ADDED_UP
from engine.codegen.op import kernel, op, rule
from engine.core.registry import OPS
from engine.kernels.scatter_add import add_rows
from engine.limits import meter
from engine.types import dtypes


def check_indices(indices: Any, rows: int, function: str) -> None:
    """Refuse indices that are not integers, or not rows of the table."""
    if indices.dtype not in (np.int64, np.int32):
        raise errors.embedding_dtype(dtypes.of(indices.dtype).tensor_type, function)
    if indices.size and (indices.min() < 0 or indices.max() >= rows):
        raise errors.embedding_index()


@kernel
def embedding_kernel(weight: Any, indices: Any) -> Any:
    if weight.ndim != 2:
        raise errors.embedding_weight()
    check_indices(indices, weight.shape[0], "embedding")
    meter.allocate(indices.size * weight.shape[1], weight.itemsize)
    return np.take(weight, indices, axis=0)


@kernel
def embedding_dense_backward_kernel(
    grad_output: Any, indices: Any, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """Each row collects the gradients of the places it was used in."""
    flat, grads = indices.ravel(), grad_output.reshape(-1, grad_output.shape[-1])
    meter.allocate(num_weights * grads.shape[1], grads.itemsize)
    if padding_idx >= 0:
        kept = flat != padding_idx
        flat, grads = flat[kept], grads[kept]
    if scale_grad_by_freq:
        grads = grads / np.bincount(flat, minlength=num_weights)[flat][:, None].astype(grads.dtype)
    total = np.zeros((num_weights, grad_output.shape[-1]), grad_output.dtype)
    add_rows(total, flat, grads)
    return total


@rule
def embedding_double_backward(g: Any, indices: Any, padding_idx: int) -> Any:
    """The rows of a gradient of the table, without the padding row."""
    rows = OPS["index_select"].call(g, 0, indices.reshape(-1)).reshape(*indices.shape, g.shape[1])
    if padding_idx < 0:
        return rows
    return OPS["masked_fill_Scalar"].call(rows, OPS["unsqueeze"].call(indices == padding_idx, indices.ndim), 0)


embedding = op(
    "embedding(weight, indices: Tensor, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
    "EmbeddingBackward0", "embedding_kernel(weight, indices)", inplace=False,
    weight="embedding_dense_backward(g, indices, weight.shape[0], padding_idx, scale_grad_by_freq)",
    tex=ADDED_UP, says="each row of the table collects the gradients of the places it was used in", keeps="sparse",
)
op(
    "embedding_dense_backward(grad_output, indices: Tensor, num_weights, padding_idx, scale_grad_by_freq)",
    "EmbeddingDenseBackwardBackward0", embedding_dense_backward_kernel, inplace=False,
    grad_output="embedding_double_backward(g, indices, padding_idx)",
)
