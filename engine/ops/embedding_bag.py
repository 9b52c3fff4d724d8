"""Sums, means and maxima of bags of embeddings."""

from __future__ import annotations

from engine.codegen.op import op

_BAGS = "indices, offsets"
op(
    "_embedding_bag(weight, indices: Tensor, offsets: Tensor, scale_grad_by_freq=False, mode=0, sparse=False, "
    "per_sample_weights=None, include_last_offset=False, padding_idx=-1)",
    "EmbeddingBagBackward0",
    f"embedding_bag_kernel(weight, {_BAGS}, mode, per_sample_weights, include_last_offset, padding_idx)",
    outputs="result offset2bag! bag_size! maximum_indices!", inplace=False,
    weight=f"_embedding_bag_backward(g, {_BAGS}, bag_size, maximum_indices, weight.shape[0], scale_grad_by_freq, mode, "
    "per_sample_weights, include_last_offset, padding_idx, sparse)",
    per_sample_weights=f"_embedding_bag_per_sample_weights_backward(g, weight, {_BAGS}, include_last_offset, "
    "padding_idx)",
    says="each row of the table collects the gradients of the bags it is in", keeps="offset2bag",
    hides="include_last_offset", opmath="bfloat16",
)
op(
    "_embedding_bag_backward(grad, indices: Tensor, offsets: Tensor, bag_size: Tensor, maximum_indices: Tensor, "
    "num_weights, scale_grad_by_freq, mode, per_sample_weights=None, include_last_offset=False, padding_idx=-1, "
    "sparse=False)",
    "EmbeddingBagBackwardBackward0",
    f"embedding_bag_backward_kernel(grad, {_BAGS}, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, "
    "per_sample_weights, include_last_offset, padding_idx, sparse)", inplace=False,
    grad="unavailable('_embedding_bag_backward')", per_sample_weights="unavailable('_embedding_bag_backward')",
    opmath="bfloat16",
)
op(
    "_embedding_bag_per_sample_weights_backward(grad, weight, indices: Tensor, offsets: Tensor, "
    "include_last_offset, padding_idx)", "NotImplemented",
    f"bag_weights_backward_kernel(grad, weight, {_BAGS}, include_last_offset, padding_idx)", inplace=False,
    together=("grad weight", "underivable('_embedding_bag_per_sample_weights_backward')"), opmath="bfloat16",
)
