"""Attention and transformers."""

from __future__ import annotations

from collections.abc import Sequence

Shape = Sequence[int]


def attention_dimensions(query: int, key: int, value: int) -> RuntimeError:
    return RuntimeError(
        f"Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: {query} key.dim: {key} "
        f"and value.dim: {value} instead."
    )


def attention_dtypes(query: str, key: str, value: str) -> RuntimeError:
    """As C++ spells them."""
    return RuntimeError(
        f"Expected query, key, and value to have the same dtype, but got query.dtype: {query} key.dtype: {key} and "
        f"value.dtype: {value} instead."
    )


def attention_mask_causal() -> RuntimeError:
    return RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")


def attention_mask_type(mask: str, query: str) -> RuntimeError:
    """As C++ spells the types."""
    return RuntimeError(
        f"Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: {mask} and  "
        f"query.dtype: {query} instead."
    )


def attention_dropout() -> RuntimeError:
    """Where the probability is negative."""
    return RuntimeError("scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0")


def attention_probability(p: float) -> RuntimeError:
    return RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


def attention_shared_heads() -> RuntimeError:
    return RuntimeError("Number of heads in key and value must divide the number of heads in ")


def attention_query(ndim: int) -> AssertionError:
    return AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {ndim}-D query tensor")


def _batched(batched: bool) -> tuple[str, int]:
    return ("batched (3-D)", 3) if batched else ("unbatched (2-D)", 2)


def attention_key_value(batched: bool, key: int, value: int) -> AssertionError:
    query, ndim = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `key` and `value` to be {ndim}-D but found {key}-D and {value}-D tensors "
        "respectively"
    )


def attention_padding(batched: bool, ndim: int) -> AssertionError:
    query, expected = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `key_padding_mask` to be `None` or {expected - 1}-D but found {ndim}-D tensor "
        "instead"
    )


def attention_mask(batched: bool, ndim: int) -> AssertionError:
    query, _ = _batched(batched)
    return AssertionError(
        f"For {query} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {ndim}-D tensor instead"
    )


def attention_mask_shape(expected: Shape, got: Shape) -> AssertionError:
    return AssertionError(f"Expected `attn_mask` shape to be {tuple(expected)} but got torch.Size({list(got)})")


def attention_mask_size(ndim: int, got: Shape, expected: Shape) -> RuntimeError:
    return RuntimeError(
        f"The shape of the {ndim}D attn_mask is torch.Size({list(got)}), but should be {tuple(expected)}."
    )


def attention_mask_dtype(name: str) -> AssertionError:
    return AssertionError(f"only bool and floating types of {name} are supported")


def attention_embedding(expected: int, got: int) -> AssertionError:
    return AssertionError(f"was expecting embedding dimension of {expected}, but got {got}")


def attention_heads(embed_dim: int, heads: int) -> AssertionError:
    return AssertionError(f"embed_dim {embed_dim} not divisible by num_heads {heads}")


def attention_sequences(key: Shape, value: Shape) -> AssertionError:
    return AssertionError(
        f"key's sequence and batch dims torch.Size({list(key)}) do not match value's torch.Size({list(value)})"
    )


def attention_shapes(key: Shape, value: Shape) -> AssertionError:
    return AssertionError(
        f"key shape torch.Size({list(key)}) does not match value shape torch.Size({list(value)})"
    )


def attention_weights(of: str, expected: Shape, got: Shape) -> AssertionError:
    """``of``: query, key or value."""
    return AssertionError(f"expecting {of} weights shape of {tuple(expected)}, but got torch.Size({list(got)})")


def attention_padding_size(dim: int, expected: int, got: int) -> AssertionError:
    return AssertionError(f"Expected key_padded_mask.shape[{dim}] to be {expected}, but got {got}")


def attention_causal_hint() -> RuntimeError:
    return RuntimeError(
        "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
        "`generate_square_subsequent_mask` to create this mask."
    )


def attention_sizes(embed_dim: int, heads: int) -> ValueError:
    return ValueError(
        f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={heads} instead"
    )


def heads_divide() -> AssertionError:
    return AssertionError("embed_dim must be divisible by num_heads")
