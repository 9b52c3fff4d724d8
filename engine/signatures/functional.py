# mypy: allow-untyped-defs, allow-untyped-calls
"""Functions of `torch.nn.functional` that PyTorch has written in Python, down to what they hand to the parser.

Called with the arguments of a call that failed, they fail as PyTorch's do: Python complains about the binding, a value
that is no tensor about the method it lacks, the parser about the rest. What they would compute does not matter here.
Errors about values are left to the engine.
"""

import math
import re
from functools import cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from engine.core.tensor import Tensor
from engine.signatures import written
from engine.signatures.native import Parsed, of

torch = Parsed("torch")
_nn = Parsed("nn")


class Unlike(ValueError):
    """Where PyTorch complains about a value, before it comes to what is after that."""


def _unlike(wrong):
    if wrong:
        raise Unlike


def _within(p):
    """The check of a probability."""
    if p < 0.0 or p > 1.0:
        raise Unlike


def _sized(input, output_size):
    """The size of the output, of which None means that of the input."""
    sizes = input.size()
    if isinstance(output_size, int):
        return output_size
    if len(sizes) <= len(output_size):
        raise Unlike
    return [n if size is None else size for n, size in zip(sizes[-len(output_size) :], output_size, strict=False)]


def _several(sizes, first):
    """The check that there is more than one value to take a mean of."""
    if math.prod(sizes[first:2] if first == 0 and len(sizes) < 3 else sizes[first:]) == 1:
        raise Unlike


def _pair(value):
    return tuple(value) if hasattr(type(value), "__iter__") else (value, value)


def _together(input, target):
    target.size(), input.size()
    torch.broadcast_tensors([input, target])


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        input.dim()
    else:
        of(input).softmax(dim) if dtype is None else of(input).softmax(dim, dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        input.dim()
    else:
        of(-input).softmax(dim) if dtype is None else of(-input).softmax(dim, dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        input.dim()
    else:
        of(input).log_softmax(dim) if dtype is None else of(input).log_softmax(dim, dtype=dtype)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    torch.empty_like(logits)
    if not isinstance(tau, int | float | Tensor):
        logits / tau


def interpolate(
    input,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute_scale_factor=None,
    antialias=False,
):
    rank = input.dim() - 2
    if (size is None) == (scale_factor is None) or not 1 <= rank <= 3:
        raise Unlike
    if isinstance(size, tuple | list) and not all(isinstance(n, int | np.integer) for n in size):
        raise Unlike
    sizes = size if size is None or isinstance(size, tuple | list) else [size] * rank
    scales = scale_factor if scale_factor is None or isinstance(scale_factor, tuple | list) else [scale_factor] * rank
    if mode == "nearest":
        getattr(_nn, f"upsample_nearest{rank}d")(input, sizes, scales)
    elif mode == (None, "linear", "bilinear", "trilinear")[rank] or mode == "bicubic" and rank == 2:
        getattr(_nn, f"upsample_{mode}{rank}d")(input, sizes, bool(align_corners), scales)


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode not in ("bilinear", "nearest", "bicubic") or padding_mode not in ("zeros", "border", "reflection"):
        raise Unlike
    torch.grid_sampler(input, grid, 0, 0, bool(align_corners))


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    if training:
        _several(input.size(), 0)
    if eps < 0.0:
        raise Unlike
    torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


def instance_norm(
    input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05
):
    if use_input_stats:
        _several(input.size(), 2)
    torch.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx > 0:
        weight.size(0)
    elif padding_idx < 0:
        padding_idx += weight.size(0)
    if max_norm is not None:
        of(input).contiguous()
        torch.embedding_renorm_(weight, input, max_norm, norm_type)
    torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-06, reduction="mean"):
    if isinstance(var, float):
        torch.ones_like(input)
    else:
        var < 0  # noqa: B015 - what cannot be compared says so
        torch.any(var if isinstance(var, Tensor) else False)
        var.size(), input.size()
    if not isinstance(target, Tensor):
        input - target


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    if p != 1 and p != 2:
        return
    _nn.multi_margin_loss(input, target, p, margin, weight, 1)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    written.norm(input, p, dim, keepdim=True) if isinstance(input, Tensor) else input.norm(p, dim, keepdim=True)


_ROWS = """\
relu(input, inplace=False): torch.relu[_](input)
relu6(input, inplace=False): _nn.relu6[_](input)
elu(input, alpha=1.0, inplace=False): _nn.elu[_](input, alpha)
selu(input, inplace=False): torch.selu[_](input)
celu(input, alpha=1.0, inplace=False): torch.celu[_](input, alpha)
silu(input, inplace=False): _nn.silu[_](input)
mish(input, inplace=False): _nn.mish[_](input)
leaky_relu(input, negative_slope=0.01, inplace=False): _nn.leaky_relu[_](input, negative_slope)
rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False): torch.rrelu[_](input, lower, upper, training)
hardsigmoid(input, inplace=False): _nn.hardsigmoid[_](input)
hardswish(input, inplace=False): _nn.hardswish[_](input)
hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    _unlike(min_val > max_val); _nn.hardtanh[_](input, min_val, max_val)
_threshold(input, threshold, value, inplace=False): torch.threshold[_](input, threshold, value)
glu(input, dim=-1): input.dim() and _nn.glu(input, dim)
sigmoid(input): of(input).sigmoid()
tanh(input): of(input).tanh()
tanhshrink(input): of(input).tanh()
softsign(input): of(input).abs()
dropout(input, p=0.5, training=True, inplace=False): _within(p); torch.dropout[_](input, p, training)
alpha_dropout(input, p=0.5, training=False, inplace=False): _within(p); torch.alpha_dropout[_](input, p, training)
feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    _within(p); torch.feature_alpha_dropout[_](input, p, training)
dropout{n}d(input, p=0.5, training=True, inplace=False):
    _within(p); input.dim(); torch.feature_dropout[_](input, p, training)
_max_pool{n}d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    torch.max_pool{n}d(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)
max_pool{n}d_with_indices(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
                          return_indices=False):
    {nn}.max_pool{n}d_with_indices(input, kernel_size, [] if stride is None else stride, padding, dilation, ceil_mode)
adaptive_avg_pool{m}d(input, output_size): _nn.adaptive_avg_pool{m}d(input, _sized(input, output_size))
_adaptive_max_pool{n}d(input, output_size, return_indices=False):
    {nn}.adaptive_max_pool{n}d(input, output_size if {n} == 1 else _sized(input, output_size))
adaptive_max_pool{n}d_with_indices(input, output_size, return_indices=False):
    {nn}.adaptive_max_pool{n}d(input, output_size if {n} == 1 else _sized(input, output_size))
lp_pool{n}d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    _unlike({n} == 2 and len(_pair(kernel_size)) != 2); of(input).pow(norm_type)
    {nn}.avg_pool{n}d(Tensor(), kernel_size, [] if stride is None else stride, 0, ceil_mode)
upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    interpolate(input, size, scale_factor, mode, align_corners)
upsample_nearest(input, size=None, scale_factor=None): interpolate(input, size, scale_factor, mode="nearest")
upsample_bilinear(input, size=None, scale_factor=None):
    interpolate(input, size, scale_factor, mode="bilinear", align_corners=True)
_fractional_max_pool{m}d(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                         _random_samples=None):
    _unlike(output_size is None and output_ratio is None); input.dim()
fractional_max_pool{m}d_with_indices(input, kernel_size, output_size=None, output_ratio=None, return_indices=False,
                                     _random_samples=None):
    _unlike(output_size is None and output_ratio is None); input.dim()
layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-05):
    torch.layer_norm(input, normalized_shape, weight, bias, eps, True)
rms_norm(input, normalized_shape, weight=None, eps=None): torch.rms_norm(input, normalized_shape, weight, eps)
group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    input.dim(); input.size(1) // num_groups; torch.group_norm(input, num_groups, weight, bias, eps, True)
local_response_norm(input, size, alpha=0.0001, beta=0.75, k=1.0): input.dim()
embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
              sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    weight.dtype; per_sample_weights is None or (input.size(), per_sample_weights.size()); input.dim()
pad(input, pad, mode="constant", value=None): _nn.pad(input, pad, mode, value)
unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    _nn.im2col(input, _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))
fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    _nn.col2im(input, _pair(output_size), _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride))
mse_loss(input, target, {legacy}, weight=None): _together(input, target)
l1_loss(input, target, {legacy}, weight=None): _together(input, target)
smooth_l1_loss(input, target, {legacy}, beta=1.0):
    _together(input, target); beta != 0.0 and _nn.smooth_l1_loss(input, target, 1, beta)
huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    _together(input, target); _nn.huber_loss(input, target, 1, delta)
cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean",
              label_smoothing=0.0):
    _nn.cross_entropy_loss(input, target, weight, 1, ignore_index, label_smoothing)
nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    _nn.nll_loss_nd(input, target, weight, 1, ignore_index)
binary_cross_entropy(input, target, weight=None, {legacy}):
    target.size(), input.size(); _nn.binary_cross_entropy(input, target, weight, 1)
binary_cross_entropy_with_logits(input, target, weight=None, {legacy}, pos_weight=None):
    target.size(), input.size(); torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, 1)
ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, 1, zero_infinity)
kl_div(input, target, {legacy}, log_target=False): torch.kl_div(input, target, 1, log_target=log_target)
poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-08, reduce=None,
                 reduction="mean"):
    torch.poisson_nll_loss(input, target, log_input, full, eps, 1)
hinge_embedding_loss(input, target, margin=1.0, {legacy}): torch.hinge_embedding_loss(input, target, margin, 1)
margin_ranking_loss(input1, input2, target, margin=0, {legacy}):
    input1.dim(), input2.dim(), target.dim(); torch.margin_ranking_loss(input1, input2, target, margin, 1)
cosine_embedding_loss(input1, input2, target, margin=0, {legacy}):
    torch.cosine_embedding_loss(input1, input2, target, margin, 1)
triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-06, swap=False, {legacy}):
    _unlike(margin <= 0); torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, 1)
multilabel_margin_loss(input, target, {legacy}): _nn.multilabel_margin_loss(input, target, 1)
multilabel_soft_margin_loss(input, target, weight=None, {legacy}): _nn.log_sigmoid(input)
soft_margin_loss(input, target, {legacy}): _nn.soft_margin_loss(input, target, 1)
"""
"""Parameters, and what they are handed to: `[_]` in place if asked for, `{n}` in 1 to 3, `{m}` in 2 or 3 dimensions."""

_LEGACY = 'size_average=None, reduce=None, reduction="mean"'


def _sources():
    """The functions of the table, by name."""
    found = {}
    for row in re.split(r"\n(?=\S)", _ROWS.strip()):
        row = re.sub(r"(\w+\.\w+)\[_\]", r"(\1_ if inplace else \1)", row.replace("{legacy}", _LEGACY))
        for n in (1, 2, 3) if "{n}" in row else (2, 3) if "{m}" in row else (0,):
            source = row.replace("{n}", str(n)).replace("{m}", str(n)).replace("{nn}", "torch" if n == 1 else "_nn")
            found[source.partition("(")[0]] = f"def {source}"
    return found


_SOURCES = _sources()


@cache
def _compiled(name):
    exec(compile(_SOURCES[name], f"<{name}>", "exec"), scope := globals().copy())
    return scope[name]


def _written(name, *args, **kwargs):
    """Call a function of the table, which is compiled when it is first asked for."""
    _compiled(name)(*args, **kwargs)


def _choosing(name, position):
    """The function that is one of two others, by its argument `return_indices`; they are who complains."""

    def choose(*args, **kwargs):
        chosen = args[position] if len(args) > position else kwargs.get("return_indices", False)
        _written(f"{name}_with_indices" if chosen else "_" + name, *args, **kwargs)

    return choose


FUNCTIONAL: dict[str, Any] = {
    name: function
    for name, function in list(globals().items())
    if isinstance(function, FunctionType) and function.__module__ == __name__ and not name.startswith("_")
}
FUNCTIONAL |= {name: partial(_written, name) for name in _SOURCES if not name.startswith("_")}
FUNCTIONAL |= {"threshold": partial(_written, "_threshold")}
FUNCTIONAL |= {f"max_pool{n}d": _choosing(f"max_pool{n}d", 6) for n in (1, 2, 3)}
FUNCTIONAL |= {f"adaptive_max_pool{n}d": _choosing(f"adaptive_max_pool{n}d", 2) for n in (1, 2, 3)}
FUNCTIONAL |= {f"fractional_max_pool{n}d": _choosing(f"fractional_max_pool{n}d", 4) for n in (2, 3)}
"""By name."""
