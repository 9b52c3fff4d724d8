"""Attention: softmax(q kᵀ · scale + mask) v as one op, and the softmax that composed attention uses."""

from __future__ import annotations

from engine.batching import rules
from engine.codegen.op import op
from engine.kernels.attention import attention_backward_kernel

op(
    "_safe_softmax(self, dim)", "SafeSoftmaxBackward0", "safe_softmax_kernel(self, dim)",
    self="_softmax_backward_data(g, result, dim)", inplace=False,
    says="shares compete: an element's gradient is its share times what it gets beyond the average",
    vmap=rules.along("dim"), cost=8, memory_format="contiguous",
)

op(
    "_scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p=0.0, is_causal=False, "
    "attn_mask: Tensor = None, scale=None)",
    "ScaledDotProductFlashAttentionForCpuBackward0",
    "attention_kernel(query, key, value, is_causal, attn_mask, scale)", outputs="output logsumexp!", inplace=False,
    together=(
        "query key value",
        "_scaled_dot_product_flash_attention_for_cpu_backward(g, query, key, value, output, logsumexp, is_causal, "
        "attn_mask, scale)",
    ),
    says="values are pulled by the weights they got; queries and keys by how their weight should change",
    keeps="dropout_p", vmap=rules.attention, backward_cost=4,
)
op(
    "_scaled_dot_product_flash_attention_for_cpu_backward(grad_out, query, key, value, output, logsumexp: Tensor, "
    "is_causal, attn_mask: Tensor = None, scale=None)",
    "NotImplemented", attention_backward_kernel, outputs="grad_query grad_key grad_value", inplace=False,
    together=(
        "grad_out query key value output", "underivable('_scaled_dot_product_flash_attention_for_cpu_backward')",
    ),
)
