"""Activation functions as modules."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.tensor import Tensor
from engine.errors.wording import type_name
from engine.nn import functional as F
from engine.nn import init
from engine.nn.layers import layer
from engine.nn.linear import NonDynamicallyQuantizableLinear
from engine.nn.module import Module
from engine.nn.parameter import empty_parameter, register_empty


@layer(
    "threshold: float, value: float, inplace: bool = False",
    "F.threshold(input, self.threshold, self.value, self.inplace)",
    "threshold value inplace",
)
class Threshold(Module):
    """`x` where `x > threshold`, otherwise `value`."""


@layer("inplace: bool = False", "F.relu(input, self.inplace)", "inplace")
class ReLU(Module):
    """max(0, x)."""


@layer(
    "lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False",
    "F.rrelu(input, self.lower, self.upper, self.training, self.inplace)",
    "lower upper inplace",
)
class RReLU(Module):
    """Leaky ReLU whose slope is drawn from U(lower, upper) while training."""


class Hardtanh(Module):
    """`x` clipped to [min_val, max_val]."""

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        for name, value in (("min", min_value), ("max", max_value)):
            if value is not None:
                errors.warn_hardtanh_bound(name)
        min_val = min_val if min_value is None else min_value
        max_val = max_val if max_value is None else max_value
        if max_val <= min_val:
            raise errors.hardtanh_range(min_val, max_val)
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


@layer("", "F._sigmoid(input)")
class Sigmoid(Module):
    """1 / (1 + exp(-x))."""


@layer("inplace: bool = False", "F.hardsigmoid(input, self.inplace)")
class Hardsigmoid(Module):
    """Sigmoid in three straight pieces."""


@layer("", "F._tanh(input)")
class Tanh(Module):
    """The hyperbolic tangent."""


@layer("inplace: bool = False", "F.silu(input, inplace=self.inplace)", "inplace")
class SiLU(Module):
    """x · sigmoid(x), also called swish."""


@layer("inplace: bool = False", "F.mish(input, inplace=self.inplace)", "inplace")
class Mish(Module):
    """x · tanh(softplus(x))."""


@layer("inplace: bool = False", "F.hardswish(input, self.inplace)")
class Hardswish(Module):
    """x · hardsigmoid(x)."""


@layer("alpha: float = 1.0, inplace: bool = False", "F.elu(input, self.alpha, self.inplace)", "alpha inplace")
class ELU(Module):
    """x above 0, α(exp(x) - 1) below."""


@layer("alpha: float = 1.0, inplace: bool = False", "F.celu(input, self.alpha, self.inplace)", "alpha inplace")
class CELU(Module):
    """x above 0, α(exp(x/α) - 1) below."""


@layer("inplace: bool = False", "F.selu(input, self.inplace)", "inplace")
class SELU(Module):
    """ELU scaled so that activations keep mean 0 and variance 1."""


@layer("dim: int = -1", "F.glu(input, self.dim)", "dim")
class GLU(Module):
    """One half of the input along `dim`, gated by the sigmoid of the other."""


@layer('approximate: str = "none"', "F.gelu(input, approximate=self.approximate)", "approximate={self.approximate!r}")
class GELU(Module):
    """x · Φ(x) with the normal distribution function Φ, or its tanh approximation."""


@layer("lambd: float = 0.5", "F.hardshrink(input, self.lambd)", "{self.lambd}")
class Hardshrink(Module):
    """x where |x| > λ, otherwise 0."""


@layer(
    "negative_slope: float = 1e-2, inplace: bool = False",
    "F.leaky_relu(input, self.negative_slope, self.inplace)",
    "negative_slope inplace",
)
class LeakyReLU(Module):
    """x above 0, `negative_slope` · x below."""


@layer("", "F.logsigmoid(input)")
class LogSigmoid(Module):
    """log(sigmoid(x))."""


@layer("beta: float = 1.0, threshold: float = 20.0", "F.softplus(input, self.beta, self.threshold)", "beta threshold")
class Softplus(Module):
    """log(1 + exp(βx)) / β; x itself where βx > threshold."""


@layer("lambd: float = 0.5", "F.softshrink(input, self.lambd)", "{self.lambd}")
class Softshrink(Module):
    """x moved towards 0 by λ."""


@layer("", "F.softsign(input)")
class Softsign(Module):
    """x / (1 + |x|)."""


@layer("", "F.tanhshrink(input)")
class Tanhshrink(Module):
    """x - tanh(x)."""


@layer("dim: int | None = None", "F.softmin(input, self.dim)", "dim")
class Softmin(Module):
    """Softmax of -x along `dim`."""


@layer("dim: int | None = None", "F.softmax(input, self.dim)", "dim")
class Softmax(Module):
    """exp(x) / Σ exp(x) along `dim`."""


@layer("dim: int | None = None", "F.log_softmax(input, self.dim)", "dim")
class LogSoftmax(Module):
    """log(softmax(x)) along `dim`."""


class ReLU6(Hardtanh):
    """min(max(0, x), 6)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def forward(self, input: Tensor) -> Tensor:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class PReLU(Module):
    """x above 0, a · x below, with a learned slope for all channels or for each."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = empty_parameter(num_parameters, dtype=dtype, device=device)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set every slope to `init`."""
        init.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Softmax2d(Module):
    """Softmax over the channels of an image: (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in (3, 4):
            raise errors.softmax2d_dimensions(input.dim())
        return F.softmax(input, -3)


class MultiheadAttention(Module):
    """Attention in several subspaces side by side (Vaswani et al., "Attention is all you need").

    query (L, N, E), key (S, N, kdim), value (S, N, vdim), or batch first → (L, N, E) and weights (N, L, S).
    """

    in_proj_weight: Any
    in_proj_bias: Any
    bias_k: Any
    bias_v: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise errors.attention_sizes(embed_dim, num_heads)
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise errors.heads_divide()
        if self._qkv_same_embed_dim:
            self.in_proj_weight = empty_parameter(3 * embed_dim, embed_dim, dtype=dtype, device=device)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = empty_parameter(embed_dim, embed_dim, dtype=dtype, device=device)
            self.k_proj_weight = empty_parameter(embed_dim, self.kdim, dtype=dtype, device=device)
            self.v_proj_weight = empty_parameter(embed_dim, self.vdim, dtype=dtype, device=device)
            self.register_parameter("in_proj_weight", None)
        register_empty(self, "in_proj_bias", bias, 3 * embed_dim, dtype=dtype, device=device)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        if add_bias_kv:
            self.bias_k = empty_parameter(1, 1, embed_dim, dtype=dtype, device=device)
            self.bias_v = empty_parameter(1, 1, embed_dim, dtype=dtype, device=device)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        batched = query.dim() == 3
        for tensor in (key, value):
            if not isinstance(tensor, Tensor):
                raise errors.object_attribute(type_name(tensor), "is_nested")
        if self.batch_first and batched:
            query, key, value = _sequence_first(query, key, value)
        options: dict[str, Any] = {}
        if not self._qkv_same_embed_dim:
            options = {f"{letter}_proj_weight": getattr(self, f"{letter}_proj_weight") for letter in "qkv"}
            options["use_separate_proj_weight"] = True
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
            **options,
        )
        return (output.transpose(1, 0) if self.batch_first and batched else output), weights


def _sequence_first(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Batch and sequence swapped; what was one tensor stays one, because projections of it can be shared."""
    if key is value and query is key:
        query = query.transpose(1, 0)
        return query, query, query
    if key is value:
        key = key.transpose(1, 0)
        return query.transpose(1, 0), key, key
    return query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
