"""Attention on arrays, forth and back: softmax(q kᵀ · scale + mask) v."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.kernels.names import kernel
from engine.kernels.softmax import softmax_kernel
from engine.limits import meter
from engine.types.bfloat16 import SHORT


@kernel
def safe_softmax_kernel(a: Any, dim: int) -> Any:
    """Softmax in which a row of nothing but -inf gives zeros."""
    out = softmax_kernel(a, dim)
    masked = (a == -np.inf).all(axis=dim, keepdims=True)
    return np.where(masked, 0, out).astype(a.dtype) if masked.any() else out


def _heads(x: Any, count: int) -> Any:
    """Keys or values with each head repeated for the queries that share it."""
    repeats = count // x.shape[1]
    return x if repeats == 1 else np.repeat(x, repeats, axis=1)


def _scores(query: Any, key: Any, is_causal: bool, attn_mask: Any, scale: float) -> Any:
    n, heads, rows, _ = query.shape
    meter.allocate(n * heads * rows * key.shape[2], query.itemsize)
    meter.product(rows, query.shape[3], key.shape[2], query.dtype, 2 * n * heads)
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


def _in_single(*tensors: Any) -> list[Any]:
    """Numbers of 16 bits as float32; others, and what is absent, as they are."""
    return [x.astype(np.float32) if x is not None and x.dtype.char in SHORT else x for x in tensors]


def _for_product(weights: Any, dtype: Any) -> Any:
    """Weights as the product takes them: rounded, where what they are multiplied with has 16 bits."""
    return weights.astype(dtype).astype(weights.dtype) if dtype.char in SHORT else weights


@kernel
def attention_kernel(
    query: Any, key: Any, value: Any, is_causal: bool, attn_mask: Any, scale: float | None
) -> tuple[Any, Any]:
    """The output (N, H, L, E), laid out as the query, and the logarithm of each row's sum of exponentials."""
    heads, own = query.shape[1], query.dtype
    query, key, value, attn_mask = _in_single(query, key, value, attn_mask)
    weights = _scores(query, _heads(key, heads), is_causal, attn_mask, _scale(query, scale))
    top = np.maximum.reduce(weights, axis=-1, keepdims=True)
    top[top == -np.inf] = 0
    weights -= top
    np.exp(weights, out=weights)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    logsumexp = (np.log(total) + top)[..., 0]
    total[total == 0] = 1
    if own is not query.dtype:
        out = _product(_for_product(weights, own), _heads(value, heads), query)
        out /= total
        return out.astype(own), logsumexp
    weights /= total
    return _product(weights, _heads(value, heads), query), logsumexp


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
    heads, factor, own = query.shape[1], _scale(query, scale), query.dtype
    g, query, key, value, out, attn_mask = _in_single(g, query, key, value, out, attn_mask)
    keys, values = _heads(key, heads), _heads(value, heads)
    weights = _scores(query, keys, is_causal, attn_mask, factor)
    weights -= np.where(np.isinf(logsumexp), 0, logsumexp)[..., None]
    np.exp(weights, out=weights)
    grad_value = _product(_for_product(weights, own).swapaxes(-1, -2), g, value)
    through = g @ values.swapaxes(-1, -2)
    through -= np.add.reduce(g * out, axis=-1, keepdims=True)
    through *= weights
    through *= query.dtype.type(factor)
    through = _for_product(through, own)
    grad_key = _product(through.swapaxes(-1, -2), query, key)
    grads = _product(through, keys, query), _shared(grad_key, key), _shared(grad_value, value)
    # Positions lie before heads in memory.
    first, second, third = [np.ascontiguousarray(x.swapaxes(1, 2), own).swapaxes(1, 2) for x in grads]
    return first, second, third


def _shared(grad: Any, like: Any) -> Any:
    """The gradient of a head that several queries share is the sum of theirs."""
    if grad.shape == like.shape:
        return grad
    n, heads = like.shape[:2]
    return np.add.reduce(grad.reshape(n, heads, -1, *grad.shape[2:]), axis=2)
