"""Transformer layers (Vaswani et al., "Attention is all you need")."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from engine import errors
from engine.composites.attention import _canonical_mask
from engine.composites.creation import allocate, checked_size
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.nn import init
from engine.nn.activation import GELU, MultiheadAttention, ReLU
from engine.nn.container import ModuleList
from engine.nn.dropout import Dropout
from engine.nn.linear import Linear
from engine.nn.module import Module
from engine.nn.normalization import LayerNorm
from engine.types import dtypes

Activation = Callable[[Tensor], Tensor]
_ACTIVATIONS = ("relu", "gelu")


def _get_activation_fn(activation: str) -> Activation:
    """The function of that name. RuntimeError unless it is relu or gelu."""
    if activation not in _ACTIVATIONS:
        raise errors.transformer_activation(activation)
    found: Activation = getattr(F, activation)
    return found


def _activation(activation: str | Activation) -> Activation:
    return activation if callable(activation) else _get_activation_fn(activation)


def _get_clones(module: Module, N: int) -> ModuleList:
    """Layers with equal parameters, each with its own copy."""
    return ModuleList([deepcopy(module) for _ in range(N)])


def _is_causal(mask: Tensor | None, is_causal: bool | None, size: int | None) -> bool:
    """Whether a mask is known, or seen, to be the causal one."""
    if is_causal is not None or mask is None:
        return bool(is_causal)
    extent = mask.shape[-2] if size is None else size
    meter.reserve(extent * extent, 4)
    meter.charge(extent * extent >> 9)
    expected = np.triu(np.full((extent, extent), -np.inf, np.float32), 1)
    return bool(mask._array.shape == expected.shape and (mask._array == expected).all())


def _feed_forward(
    layer: Module, width: int, hidden: int, dropout: float, shortcuts: int, eps: float, **options: Any
) -> None:
    """What both layers have after attention: a network of two layers; for each shortcut a norm and a dropout."""
    layer.linear1 = Linear(width, hidden, **options)
    layer.dropout = Dropout(dropout)
    layer.linear2 = Linear(hidden, width, **options)
    for index in range(shortcuts):
        setattr(layer, f"norm{index + 1}", LayerNorm(width, eps=eps, **options))
    for index in range(shortcuts):
        setattr(layer, f"dropout{index + 1}", Dropout(dropout))


def _attended(attention: Any, x: Tensor, memory: Tensor, mask: Any, padding: Any, is_causal: bool) -> Tensor:
    attended: Tensor = attention(
        x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
    )[0]
    return attended


class TransformerEncoderLayer(Module):
    """Self-attention and a feed-forward network, each with a shortcut and a layer norm: (S, N, E) → (S, N, E)."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        _feed_forward(self, d_model, dim_feedforward, dropout, 2, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.activation = _activation(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        padding = _canonical(src_key_padding_mask, "src_key_padding_mask", src_mask, "src_mask", src)
        mask = _canonical(src_mask, "src_mask", None, "", src)
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        return self.dropout1(_attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _canonical(mask: Tensor | None, name: str, other: Tensor | None, other_name: str, like: Tensor) -> Tensor | None:
    return _canonical_mask(mask, name, None if other is None else other.dtype, other_name, like._array.dtype)


class TransformerDecoderLayer(Module):
    """As the encoder's layer, with attention to what the encoder remembers in between."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        for name in ("self_attn", "multihead_attn"):
            attention = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
            setattr(self, name, attention)
        _feed_forward(self, d_model, dim_feedforward, dropout, 3, layer_norm_eps, bias=bias, dtype=dtype)
        self.norm_first = norm_first
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        remembered = (memory_mask, memory_key_padding_mask, memory_is_causal)
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *remembered)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *remembered))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        return self.dropout1(_attended(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _mha_block(
        self, x: Tensor, mem: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        return self.dropout2(_attended(self.multihead_attn, x, mem, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


def _without_fast_path(layer: Module) -> str:
    """Why PyTorch would not run this encoder layer on nested tensors; empty when it would."""
    if not isinstance(layer, TransformerEncoderLayer):
        return " was not TransformerEncoderLayer"
    attention = layer.self_attn
    if layer.norm_first:
        return ".norm_first was True"
    if not attention.batch_first:
        return ".self_attn.batch_first was not True(use batch_first for better inference performance)"
    if attention.in_proj_bias is None:
        return ".self_attn was passed bias=False"
    if layer.activation not in (F.relu, F.gelu) and not isinstance(layer.activation, ReLU | GELU):
        return ".activation_relu_or_gelu was not True"
    if layer.norm1.eps != layer.norm2.eps:
        return ".norm1.eps was not equal to encoder_layer.norm2.eps"
    return ".self_attn.num_heads is odd" if attention.num_heads % 2 else ""


class TransformerEncoder(Module):
    """Equal encoder layers, one after the other, and a norm at the end."""

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        reason = _without_fast_path(encoder_layer)
        self.use_nested_tensor = enable_nested_tensor and not reason
        if enable_nested_tensor and reason:
            errors.warn_nested_tensor(reason)
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        padding = _canonical(src_key_padding_mask, "src_key_padding_mask", mask, "mask", src)
        mask = _canonical(mask, "mask", None, "", src)
        causal = _is_causal(mask, is_causal, _length(src, self.layers[0].self_attn.batch_first))
        output = src
        empty = self._left_out(src, mask, padding)
        if empty is not None:
            errors.warn_nested_prototype()
            padding = _canonical(empty, "src_key_padding_mask", None, "mask", src)
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if empty is not None:
            output = output.masked_fill(empty.unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _left_out(self, src: Tensor, mask: Tensor | None, padding: Tensor | None) -> Any:
        """The places that are padding, where PyTorch computes without them and fills up with zeros; otherwise None."""
        first: Any = self.layers[0]
        if not self.use_nested_tensor or first.training or src.ndim != 3 or padding is None or mask is not None:
            return None
        attention, norms = first.self_attn, (first.norm1, first.norm2, first.linear1, first.linear2)
        given = [src, attention.in_proj_weight, attention.in_proj_bias]
        given += [part for layer in (attention.out_proj, *norms) for part in (layer.weight, layer.bias)]
        if state.autocast is not None or state.grad and any(one.requires_grad for one in given):
            return None
        if padding._array.shape != src._array.shape[:2]:
            return None
        kept = padding._array == 0
        meter.allocate(kept.size, 1)
        aligned = (kept[:, 1:] <= kept[:, :-1]).all()
        return Tensor._from_array(~kept) if aligned else None


class TransformerDecoder(Module):
    """Equal decoder layers, one after the other, and a norm at the end."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        causal = _is_causal(tgt_mask, tgt_is_causal, _length(tgt, self.layers[0].self_attn.batch_first))
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


def _length(x: Tensor, batch_first: bool) -> int:
    if x.ndim == 2:
        return x.shape[0]
    return x.shape[1 if batch_first else 0]


class Transformer(Module):
    """Encoder and decoder: (S, N, E), (T, N, E) → (T, N, E)."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = "relu",
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        options: dict[str, Any] = {
            "dim_feedforward": dim_feedforward, "dropout": dropout, "activation": activation,
            "layer_norm_eps": layer_norm_eps, "batch_first": batch_first, "norm_first": norm_first, "bias": bias,
            "dtype": dtype,
        }  # fmt: skip
        if custom_encoder is None:
            layer: Module = TransformerEncoderLayer(d_model, nhead, **options)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            layer = TransformerDecoderLayer(d_model, nhead, **options)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, dtype=dtype)
            custom_decoder = TransformerDecoder(layer, num_decoder_layers, norm)
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.ndim > 1:
                init.xavier_uniform_(parameter)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        axis = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[axis] != tgt.shape[axis]:
            raise errors.transformer_batch()
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise errors.transformer_features()
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: dtypes.dtype | None = None) -> Tensor:
        """The causal mask: -inf above the diagonal."""
        kind = (dtype or dtypes.get_default()).np
        shape = checked_size("full", ((sz, sz),))
        allocate("full", shape, kind)
        return Tensor._from_array(np.triu(np.full(shape, -np.inf, kind), 1))
