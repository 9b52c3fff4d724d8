"""Attention functions: `scaled_dot_product_attention` and `multi_head_attention_forward`."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from engine import errors, settings
from engine.batching.level import by_entry
from engine.codegen.autocast import lowered, outside
from engine.codegen.publish import FUNCTIONAL, public
from engine.composites.dropout import dropout
from engine.composites.joins import cat
from engine.composites.linalg import linear, matmul
from engine.composites.pad import pad
from engine.composites.to_python import cast, widened
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.types import dtypes


def _additive(mask: Any, dtype: Any) -> Tensor:
    """A boolean mask as the numbers to add: 0 where True, -inf elsewhere."""
    return Tensor._from_array(np.where(mask, dtype.type(0), dtype.type(-np.inf)).astype(dtype))


def _check_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> None:
    """Refuse operands of `scaled_dot_product_attention` that do not fit together."""
    names = [t.dtype.cpp_name for t in (query, key, value)]
    if len(set(names)) > 1:
        raise errors.attention_dtypes(*names)
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise errors.attention_dimensions(query.ndim, key.ndim, value.ndim)
    if mask is not None and mask.dtype not in (dtypes.bool_, dtypes.float32, query.dtype):
        raise errors.attention_mask_type(mask.dtype.cpp_name, query.dtype.cpp_name)


def _as_one_op(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None, dropout_p: float, enable_gqa: bool
) -> bool:
    """Whether PyTorch's CPU build has one kernel for these operands."""
    tensors = (query, key, value)
    if dropout_p > 0 or any(t.ndim != 4 for t in tensors) or not query.is_floating_point():
        return False
    if not query.shape[-1] == key.shape[-1] == value.shape[-1] or key.shape[2] != value.shape[2]:
        return False
    if query.shape[0] != key.shape[0] or query.shape[0] != value.shape[0] or 0 in (*query.shape, *key.shape):
        return False
    if query.shape[1] != key.shape[1] or key.shape[1] != value.shape[1]:
        shared = enable_gqa and key.shape[1] == value.shape[1] and query.shape[1] % key.shape[1] == 0
        if not shared:
            return False
    if dropout_p:
        raise errors.attention_dropout()
    if attn_mask is None:
        return True
    if attn_mask.requires_grad:
        return False
    if attn_mask.ndim < 2:
        raise errors.dim_out_of_range(-2, 1) if attn_mask.ndim else errors.dim_of_no_dims(-2)
    if attn_mask.ndim not in (2, 4):
        return False
    size = (query.shape[0], query.shape[1], query.shape[2], key.shape[2])
    return all(m in (1, s) for m, s in zip(attn_mask.shape, size[-attn_mask.ndim :], strict=True))


@public("nn")
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(q kᵀ / √E + mask) v: query (N, …, L, E), key (N, …, S, E), value (N, …, S, V) → (N, …, L, V).

    A boolean mask is True where attention is allowed. With `enable_gqa`, keys and values may have fewer heads.
    """
    if state.autocast is not None:
        query, key, value, attn_mask = lowered(query, key, value, attn_mask)
        with outside():
            return scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
    if not isinstance(is_causal, bool | np.bool_):
        raise errors.argument_type("scaled_dot_product_attention", "is_causal", 6, "bool", is_causal)
    _check_attention(query, key, value, attn_mask)
    if "FLASH_ATTENTION" in _allowed and _as_one_op(query, key, value, attn_mask, dropout_p, enable_gqa):
        mask = attn_mask
        if mask is not None and mask._array.dtype.kind == "b":
            mask = _additive(mask._array, query._array.dtype)
        causal = bool(is_causal)
        return ops._scaled_dot_product_flash_attention_for_cpu(query, key, value, 0.0, causal, mask, scale)[0]
    if "MATH" not in _allowed:
        raise errors.no_attention_kernel()
    return _composed_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)


_KERNELS = frozenset({"FLASH_ATTENTION", "MATH", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION"})
_allowed = _KERNELS
settings.variable(sys.modules[__name__], "_allowed")


def allowed() -> frozenset[str]:
    """Which kernels attention may use."""
    return _allowed


def allow(kernels: frozenset[str] = _KERNELS) -> None:
    """Let attention use these kernels only; all, if none are given."""
    global _allowed
    _allowed = kernels


def _composed_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> Tensor:
    own = query._array.dtype
    query, key, value = widened(query), widened(key), widened(value)
    if query._array.dtype.kind in "iub":
        query, key = (cast(t, dtypes.get_default().np) for t in (query, key))
    if attn_mask is not None:
        attn_mask = widened(attn_mask)
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    root = math.sqrt(abs(factor))
    if attn_mask is not None and attn_mask._array.dtype.kind == "b":
        attn_mask = _additive(attn_mask._array, query._array.dtype)
    if is_causal:
        if attn_mask is not None:
            raise errors.attention_mask_causal()
        attn_mask = _additive(np.tri(query.shape[-2], key.shape[-2], dtype=bool), query._array.dtype)
    scaled = ops.mul_Scalar(query, -root if factor < 0 else root)
    if enable_gqa:
        for t in (query, key, value):
            if t.ndim < 3:
                raise errors.dim_out_of_range(-3, t.ndim)
        if query.shape[-3] % max(key.shape[-3], 1) or query.shape[-3] % max(value.shape[-3], 1):
            raise errors.attention_shared_heads()
        key = key.repeat_interleave(query.shape[-3] // key.shape[-3], -3)
        value = value.repeat_interleave(query.shape[-3] // value.shape[-3], -3)
    weights = matmul(scaled, ops.mul_Scalar(key.transpose(-2, -1), root))
    if attn_mask is not None:
        weights.add_(attn_mask)
    weights = ops._safe_softmax(weights, -1)
    if dropout_p > 0:
        if dropout_p > 1:
            raise errors.attention_probability(dropout_p)
        weights = dropout(weights, dropout_p)
    return cast(matmul(weights, value), own)


def _check_shapes(
    query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None, mask: Tensor | None, heads: int
) -> bool:
    """Whether there is a batch dimension. AssertionError when the shapes do not fit."""
    if query.ndim not in (2, 3):
        raise errors.attention_query(query.ndim)
    batched = query.ndim == 3
    if key.ndim != query.ndim or value.ndim != query.ndim:
        raise errors.attention_key_value(batched, key.ndim, value.ndim)
    if padding is not None and padding.ndim != query.ndim - 1:
        raise errors.attention_padding(batched, padding.ndim)
    if mask is not None:
        if mask.ndim not in (2, 3):
            raise errors.attention_mask(batched, mask.ndim)
        expected = (heads, query.shape[0], key.shape[0])
        if not batched and mask.ndim == 3 and tuple(mask.shape) != expected:
            raise errors.attention_mask_shape(expected, tuple(mask.shape))
    return batched


@by_entry
def _canonical_mask(mask: Tensor | None, name: str, other: Any, other_name: str, dtype: Any) -> Tensor | None:
    """A mask as numbers to add: a boolean one is True where attention is *not* allowed."""
    if mask is None:
        return None
    kind = mask._array.dtype.kind
    if kind != "b" and kind not in dtypes.FLOATING:
        raise errors.attention_mask_dtype(name)
    if other is not None and mask.dtype is not other:
        errors.warn_mismatched_masks(name, other_name)
    return mask if kind != "b" else _additive(~mask._array, dtype)


def _stacked_projection(x: Tensor, weight: Tensor, bias: Tensor | None, count: int) -> Tensor:
    """`count` projections of the same input by one product, as (count, L, N, E)."""
    projected = linear(x, weight, bias)
    size = projected.shape[-1] // count
    return projected.unflatten(-1, (count, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def _projections(
    query: Tensor, key: Tensor, value: Tensor, weight: Tensor, bias: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    size = query.shape[-1]
    if key is value and query is key:
        stacked = _stacked_projection(query, weight, bias, 3)
        return stacked[0], stacked[1], stacked[2]
    if key is value:
        w_q, w_kv = weight.split([size, size * 2])
        b_q, b_kv = (None, None) if bias is None else bias.split([size, size * 2])
        q = linear(query, w_q, b_q)
        stacked = _stacked_projection(key, w_kv, b_kv, 2)
        return q, stacked[0], stacked[1]
    weights = weight.chunk(3)
    biases = (None, None, None) if bias is None else bias.chunk(3)
    return (
        linear(query, weights[0], biases[0]),
        linear(key, weights[1], biases[1]),
        linear(value, weights[2], biases[2]),
    )


def _check_projections(query: Tensor, key: Tensor, value: Tensor, embed_dim: int, heads: int, separate: bool) -> None:
    if query.shape[-1] != embed_dim:
        raise errors.attention_embedding(embed_dim, query.shape[-1])
    if embed_dim // heads * heads != embed_dim:
        raise errors.attention_heads(embed_dim, heads)
    if separate:
        if key.shape[:2] != value.shape[:2]:
            raise errors.attention_sequences(tuple(key.shape[:2]), tuple(value.shape[:2]))
    elif key.shape != value.shape:
        raise errors.attention_shapes(tuple(key.shape), tuple(value.shape))


def _with_heads_first(mask: Tensor | None, rows: int, columns: int, groups: int) -> Tensor | None:
    if mask is None:
        return None
    if mask.ndim == 2:
        if tuple(mask.shape) != (rows, columns):
            raise errors.attention_mask_size(2, tuple(mask.shape), (rows, columns))
        return mask.unsqueeze(0)
    if tuple(mask.shape) != (groups, rows, columns):
        raise errors.attention_mask_size(3, tuple(mask.shape), (groups, rows, columns))
    return mask


@public("nn")
def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """What `nn.MultiheadAttention` computes, with the parameters given: (L, N, E) and, if needed, weights (N, L, S)."""
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    rows, batch, embed_dim = query.shape
    dtype = query._array.dtype
    padding = _canonical_mask(
        key_padding_mask, "key_padding_mask", None if attn_mask is None else attn_mask.dtype, "attn_mask", dtype
    )
    if is_causal and attn_mask is None:
        raise errors.attention_causal_hint()
    if is_causal and padding is None and not need_weights:
        mask = None
    else:
        mask = _canonical_mask(attn_mask, "attn_mask", None, "", dtype)
        is_causal = is_causal and padding is None
    _check_projections(query, key, value, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if use_separate_proj_weight:
        biases: Any = (None, None, None) if in_proj_bias is None else in_proj_bias.chunk(3)
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        for name, x, w in zip(("query", "key", "value"), (query, key, value), weights, strict=True):
            expected = (embed_dim, x.shape[-1])
            if w is not None and tuple(w.shape) != expected:
                raise errors.attention_weights(name, expected, tuple(w.shape))
        q, k, v = (
            linear(x, w, b)  # type: ignore[arg-type]
            for x, w, b in zip((query, key, value), weights, biases, strict=True)
        )
    else:
        assert in_proj_weight is not None
        q, k, v = _projections(query, key, value, in_proj_weight, in_proj_bias)
    groups = batch * num_heads
    mask = _with_heads_first(mask, rows, key.shape[0], groups)
    if padding is not None and padding.shape[0] != batch:
        raise errors.attention_padding_size(0, batch, padding.shape[0])
    if padding is not None and padding.shape[1] != key.shape[0]:
        raise errors.attention_padding_size(1, key.shape[0], padding.shape[1])
    if bias_k is not None and bias_v is not None:
        k = cat([k, bias_k.repeat(1, batch, 1)])
        v = cat([v, bias_v.repeat(1, batch, 1)])
        mask, padding = _one_wider(mask), _one_wider(padding)
    head = embed_dim // num_heads
    q = q.view(rows, groups, head).transpose(0, 1)
    k = k.view(k.shape[0], groups, head).transpose(0, 1) if static_k is None else static_k
    v = v.view(v.shape[0], groups, head).transpose(0, 1) if static_v is None else static_v
    if add_zero_attn:
        zeros = Tensor._from_array(np.zeros((groups, 1, head), dtype))
        k, v = cat([k, zeros], 1), cat([v, zeros], 1)
        mask, padding = _one_wider(mask), _one_wider(padding)
    columns = k.shape[1]
    if padding is not None:
        wide = padding.view(batch, 1, 1, columns).expand(-1, num_heads, -1, -1).reshape(groups, 1, columns)
        mask = wide if mask is None else mask + wide
    drop = dropout_p if training else 0.0
    if not need_weights:
        output = _without_weights(q, k, v, mask, drop, is_causal, batch, num_heads)
        output = linear(output, out_proj_weight, out_proj_bias)
        output = output.view(rows, batch, output.shape[1])
        return (output if batched else output.squeeze(1)), None
    scaled = q * math.sqrt(1.0 / float(head))
    scores = scaled.bmm(k.transpose(-2, -1)) if mask is None else mask.baddbmm(scaled, k.transpose(-2, -1))
    shares = FUNCTIONAL["softmax"](scores, -1)
    if drop > 0.0:
        shares = dropout(shares, drop)
    output = shares.bmm(v).transpose(0, 1).reshape(rows * batch, embed_dim)
    output = linear(output, out_proj_weight, out_proj_bias)
    output = output.view(rows, batch, output.shape[1])
    shown = shares.view(batch, num_heads, rows, columns)
    if average_attn_weights:
        shown = shown.mean(1)
    return (output, shown) if batched else (output.squeeze(1), shown.squeeze(0))


def _one_wider(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else pad(mask, (0, 1))


def _without_weights(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, drop: float, is_causal: bool, batch: int, heads: int
) -> Tensor:
    """The heads' outputs side by side, (L·N, E)."""
    rows, columns, head = q.shape[1], k.shape[1], q.shape[2]
    if mask is not None:
        if mask.shape[0] == 1 and mask.ndim == 3:
            mask = mask.unsqueeze(0)
        else:
            mask = mask.view(batch, heads, -1, columns)
    output = scaled_dot_product_attention(
        q.view(batch, heads, rows, head),
        k.view(batch, heads, columns, head),
        v.view(batch, heads, columns, head),
        mask,
        drop,
        is_causal,
    )
    return output.permute(2, 0, 1, 3).reshape(batch * rows, heads * head)
