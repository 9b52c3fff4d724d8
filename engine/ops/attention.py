"""Attention: softmax(q kᵀ · scale + mask) v as one op, and the softmax that composed attention uses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.op import kernel, op
from engine.core.registry import NUMPY
from engine.limits import meter


@kernel
def safe_softmax_kernel(a: Any, dim: int) -> Any:
    """Softmax in which a row of nothing but -inf gives zeros."""
    out = NUMPY["softmax_kernel"](a, dim)
    masked = (a == -np.inf).all(axis=dim, keepdims=True)
    return np.where(masked, 0, out).astype(a.dtype) if masked.any() else out


op(
    "_safe_softmax(self, dim)", "SafeSoftmaxBackward0", "safe_softmax_kernel(self, dim)",
    self="_softmax_backward_data(g, result, dim)", inplace=False,
    says="shares compete: an element's gradient is its share times what it gets beyond the average",
)


def _heads(x: Any, count: int) -> Any:
    """Keys or values with each head repeated for the queries that share it."""
    repeats = count // x.shape[1]
    return x if repeats == 1 else np.repeat(x, repeats, axis=1)


def _scores(query: Any, key: Any, is_causal: bool, attn_mask: Any, scale: float) -> Any:
    n, heads, rows, _ = query.shape
    meter.allocate(n * heads * rows * key.shape[2], query.itemsize)
    meter.product(4 * query.size * key.shape[2], query.dtype)
    meter.charge(2 + (n * heads * rows * key.shape[2] >> 7))
    scores = (query * query.dtype.type(scale)) @ key.swapaxes(-1, -2)
    if is_causal:
        rows, columns = scores.shape[-2:]
        scores[..., ~np.tri(rows, columns, dtype=bool)] = -np.inf
    if attn_mask is not None:
        if attn_mask.dtype.kind == "b":
            scores = np.where(attn_mask, scores, -np.inf).astype(query.dtype)
        else:
            scores += attn_mask
    return scores


def _scale(query: Any, scale: float | None) -> float:
    return 1 / math.sqrt(query.shape[-1]) if scale is None else scale


def _product(first: Any, second: Any, like: Any) -> Any:
    """A product in the memory layout of `like`, when it has its shape."""
    shape = (*first.shape[:-1], second.shape[-1])
    return np.matmul(first, second, out=np.empty_like(like) if like.shape == shape else None)


@kernel
def attention_kernel(
    query: Any, key: Any, value: Any, is_causal: bool, attn_mask: Any, scale: float | None
) -> tuple[Any, Any]:
    """The output (N, H, L, E), laid out as the query, and the logarithm of each row's sum of exponentials."""
    heads = query.shape[1]
    weights = _scores(query, _heads(key, heads), is_causal, attn_mask, _scale(query, scale))
    top = np.maximum.reduce(weights, axis=-1, keepdims=True)
    top[top == -np.inf] = 0
    weights -= top
    np.exp(weights, out=weights)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    weights /= np.where(total == 0, 1, total)
    return _product(weights, _heads(value, heads), query), (np.log(total) + top)[..., 0]


@kernel
def attention_backward_kernel(
    g: Any,
    query: Any,
    key: Any,
    value: Any,
    out: Any,
    logsumexp: Any,
    is_causal: bool,
    attn_mask: Any,
    scale: float | None,
) -> tuple[Any, Any, Any]:
    heads, factor = query.shape[1], _scale(query, scale)
    keys, values = _heads(key, heads), _heads(value, heads)
    weights = _scores(query, keys, is_causal, attn_mask, factor)
    weights -= np.where(np.isinf(logsumexp), 0, logsumexp)[..., None]
    np.exp(weights, out=weights)
    grad_value = _product(weights.swapaxes(-1, -2), g, value)
    through = g @ values.swapaxes(-1, -2)
    through -= np.add.reduce(g * out, axis=-1, keepdims=True)
    through *= weights
    through *= query.dtype.type(factor)
    grad_key = _product(through.swapaxes(-1, -2), query, key)
    return _product(through, keys, query), _shared(grad_key, key), _shared(grad_value, value)


def _shared(grad: Any, like: Any) -> Any:
    """The gradient of a head that several queries share is the sum of theirs."""
    if grad.shape == like.shape:
        return grad
    n, heads = like.shape[:2]
    return np.add.reduce(grad.reshape(n, heads, -1, *grad.shape[2:]), axis=2)


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
    keeps="dropout_p",
)
op(
    "_scaled_dot_product_flash_attention_for_cpu_backward(grad_out, query, key, value, output, logsumexp: Tensor, "
    "is_causal, attn_mask: Tensor = None, scale=None)",
    "NotImplemented", attention_backward_kernel, outputs="grad_query grad_key grad_value", inplace=False,
    together=(
        "grad_out query key value output", "underivable('_scaled_dot_product_flash_attention_for_cpu_backward')",
    ),
)


def check_attention(query: Any, key: Any, value: Any) -> None:
    """Refuse operands of `scaled_dot_product_attention` that do not fit together."""
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise errors.attention_dimensions(query.ndim, key.ndim, value.ndim)
    names = [t.dtype.cpp_name for t in (query, key, value)]
    if len(set(names)) > 1:
        raise errors.attention_dtypes(*names)
