"""Embeddings: rows of a table, and sums of rows."""

from __future__ import annotations

from typing import Any

from engine.batching import rules
from engine.codegen.latex import ADDED_UP
from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.kernels.embedding import embedding_dense_backward_kernel


@rule
def embedding_double_backward(g: Any, indices: Any, padding_idx: int) -> Any:
    """The rows of a gradient of the table, without the padding row."""
    rows = ops.index_select(g, 0, indices.reshape(-1)).reshape(*indices.shape, g.shape[1])
    if padding_idx < 0:
        return rows
    return ops.masked_fill_Scalar(rows, ops.unsqueeze(indices == padding_idx, indices.ndim), 0)


embedding = op(
    "embedding(weight, indices: Tensor, padding_idx=-1, scale_grad_by_freq=False, sparse=False)",
    "EmbeddingBackward0", "embedding_kernel(weight, indices)", inplace=False,
    weight="embedding_backward(g, indices, weight.shape[0], padding_idx, scale_grad_by_freq, sparse)",
    tex=ADDED_UP, says="each row of the table collects the gradients of the places it was used in",
    vmap=rules.embedding, backward_cost=1, gradient_omits=("padding_idx", "the row padding_idx"),
)
op(
    "embedding_dense_backward(grad_output, indices: Tensor, num_weights, padding_idx, scale_grad_by_freq)",
    "EmbeddingDenseBackwardBackward0", embedding_dense_backward_kernel, inplace=False,
    grad_output="embedding_double_backward(g, indices, padding_idx)", cost=50, opmath="bfloat16",
)
