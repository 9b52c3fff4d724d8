"""Rows of a table, and the gradients that they collect."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.kernels.scatter_add import add_rows
from engine.limits import meter
from engine.types import dtypes


def check_indices(indices: Any, rows: int, function: str) -> None:
    """Refuse indices that are not integers, or not rows of the table."""
    if indices.dtype not in (np.int64, np.int32):
        raise errors.embedding_dtype(dtypes.of(indices.dtype).cpp_type, function)
    if indices.size and (indices.min() < 0 or indices.max() >= rows):
        raise errors.index_in_self()


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
