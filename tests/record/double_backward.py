"""Record PyTorch's graphs of first and second backward passes: `python -m tests.record.double_backward`.

Needs PyTorch. Writes tests/engine/data/double_backward.json: for each expression the graph that made its result, and
for each input the graph that `create_graph=True` makes of its gradient, and of the gradient of those gradients.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

ANSWERS = Path(__file__).parents[1] / "engine" / "data" / "double_backward.json"
INPUTS = "xyms"
DEPTH, SECOND = 7, 5

EXPRESSIONS = """
x + 1 | x - 1 | 1 - x | x * 2 | (x * 2) * 3 | x / 2 | 2 / x | x % 2 | x % y | -x | x.abs() | x.reciprocal()
x ** 0 | x ** 1 | x ** 2 | x ** 3 | y ** 0.5 | 2 ** x | x ** y | torch.pow(y, s) | x.square() | y.sqrt() | y.rsqrt()
x + y | x - y | x * y | x / y | x * s | m * x | m / s | torch.add(x, y, alpha=2) | torch.sub(x, y, alpha=2)
torch.rsub(x, y, alpha=2) | torch.mul(2, x) | torch.div(2, x) | torch.div(x, y, rounding_mode=None)
torch.div(x, y, rounding_mode='trunc') | torch.fmod(x, y) | torch.fmod(x, 2) | torch.addcmul(x, c, y, value=3)
torch.addcmul(x, y, y) | torch.addcdiv(x, y, c, value=3) | torch.addcdiv(x, c, y) | torch.hypot(x, y)
torch.maximum(x, y) | torch.minimum(x, y) | torch.fmax(x, y) | torch.lerp(x, y, 0.3) | torch.lerp(x, y, c)
torch.lerp(x, y, s) | torch.copysign(x, y) | torch.copysign(x, 2.) | torch.float_power(x, 2) | x.sgn() | x.sign()
x.exp() | x.exp2() | x.expm1() | y.log() | y.log2() | y.log10() | x.log1p() | torch.logaddexp(x, y)
torch.logaddexp2(x, y) | torch.ldexp(x, y) | torch.logit(y) | torch.logit(y, eps=0.1) | x.sigmoid() | x.sin() | x.cos()
x.tan() | x.asin() | x.acos() | x.atan() | torch.atan2(x, y) | x.sinh() | x.cosh() | x.tanh() | x.asinh()
(y + 3).acosh() | x.atanh() | x.sinc() | x.deg2rad() | x.angle() | x.floor() | x.round() | torch.round(x, decimals=2)
x.frac() | x.clamp(-1, 1) | x.clamp(min=-1) | x.clamp(max=1) | x.clamp(min=y) | x.clamp(min=y, max=c)
torch.clamp_min(x, 0) | torch.clamp_max(x, y) | torch.where(x > 0, x, y) | torch.where(x > 0, x, 2)
torch.where(x > 0, 2., x) | torch.where(x > 0, x, s) | torch.nan_to_num(x)
x.erf() | x.erfc() | x.erfinv() | y.lgamma() | y.digamma() | torch.polygamma(1, y) | torch.mvlgamma(y + 3, 2) | x.i0()
torch.special.i0e(x) | torch.special.i1(x) | torch.special.i1e(x) | torch.special.entr(y) | torch.special.erfcx(x)
torch.special.log_ndtr(x) | torch.special.ndtr(x) | torch.special.ndtri(y) | torch.xlogy(x, y) | torch.xlogy(x, 2)
torch.xlogy(2, y) | torch.special.xlog1py(x, y) | torch.special.xlog1py(x, 2) | torch.special.xlog1py(2, y)
m.sum() | m.sum(0) | m.sum((0, 1)) | m.sum(-1, keepdim=True) | m.sum(dim=()) | m.mean() | m.mean(0)
m.mean((0, 1), keepdim=True) | m.prod() | m.prod(1) | m.prod(1, keepdim=True) | s.prod() | s.sum(0) | m.max() | m.max(1)
m.max(1, keepdim=True) | m.min() | m.min(0) | m.amax(1) | m.amax((0, 1)) | m.amin() | m.aminmax() | m.aminmax(dim=1)
m.median() | m.median(1) | m.nanmedian(1) | m.mode(1) | m.kthvalue(2, 1) | m.cumsum(1) | m.cumprod(1) | m.cummax(1)
m.cummin(1) | m.logcumsumexp(1) | m.logsumexp(1) | m.logsumexp((0, 1)) | m.std() | m.std(1) | m.std(1, unbiased=False)
m.var() | m.var((0, 1), keepdim=True) | torch.std_mean(m) | torch.var_mean(m, 1) | m.nansum(1) | m.nanmean(1)
m.norm() | m.norm(1) | m.norm(2, 1) | m.norm(float('inf')) | m.norm(3) | m.norm(2, dim=1, keepdim=True)
torch.linalg.vector_norm(m, 3, 1) | torch.linalg.vector_norm(m, -2, 1) | torch.linalg.vector_norm(m, 1.5)
torch.linalg.matrix_norm(m) | torch.linalg.matrix_norm(m, 1) | torch.dist(x, y) | torch.dist(x, y, 1)
torch.renorm(m, 2, 0, 1.) | torch.diff(m, n=2) | torch.diff(x, prepend=y) | torch.gradient(x) | torch.gradient(m)
torch.gradient(x, edge_order=2) | torch.gradient(x, spacing=(c,)) | torch.trapezoid(x) | torch.trapezoid(x, y)
torch.cumulative_trapezoid(x) | torch.cumulative_trapezoid(x, y) | m.quantile(0.5) | torch.quantile(m, 0.5, dim=0)
torch.quantile(x, 0.5, interpolation='lower') | torch.nanquantile(x, 0.5) | torch.cov(m)
torch.cov(m, aweights=c.abs())
torch.corrcoef(m)
F.relu(x) | F.relu6(x) | F.elu(x) | F.selu(x) | F.celu(x) | F.leaky_relu(x) | F.gelu(x) | F.gelu(x, approximate='tanh')
F.silu(x) | F.mish(x) | F.softplus(x) | F.logsigmoid(x) | F.hardtanh(x) | F.hardsigmoid(x) | F.hardswish(x)
F.hardshrink(x) | F.softshrink(x) | F.softsign(x) | F.tanhshrink(x) | F.threshold(x, 0.1, 20) | F.prelu(x, s)
F.prelu(m, c) | F.rrelu(x) | F.glu(torch.stack([x, y]), 0) | F.softmax(m, dim=1) | F.softmin(m, dim=1)
F.log_softmax(m, dim=1) | torch.softmax(m, 1, dtype=torch.float32) | F.relu_(x * 1) | F.elu_(x * 1)
F.leaky_relu_(x * 1)
F.hardtanh_(x * 1) | F.threshold_(x * 1, .1, 1) | F.selu_(x * 1) | F.celu_(x * 1) | F.silu(x * 1, inplace=True)
F.mish(x * 1, inplace=True) | (x * 1).pow_(3) | (x * 1).mul_(y) | (x * 1).div_(y) | (x * 1).exp_()
F.mse_loss(x, y) | F.mse_loss(x, y, reduction='none') | F.mse_loss(x, c) | F.mse_loss(m, y) | F.mse_loss(x, y, weight=c)
F.l1_loss(x, y) | F.l1_loss(m, y) | F.smooth_l1_loss(x, y) | F.smooth_l1_loss(x, y, beta=0) | F.huber_loss(x, y)
F.huber_loss(x, y, weight=c) | F.nll_loss(m, k) | F.nll_loss(m.log_softmax(1), k, weight=c.abs())
F.nll_loss(m.view(1, 2, 3).log_softmax(1), torch.tensor([[0, 1, 1]])) | F.cross_entropy(m, k)
F.cross_entropy(m, k, weight=c.abs()) | F.cross_entropy(m, k, label_smoothing=0.1)
F.cross_entropy(m, k, label_smoothing=0.1, weight=c.abs()) | F.cross_entropy(x, torch.tensor(1))
F.cross_entropy(m, m.detach().softmax(1)) | F.cross_entropy(m, k, reduction='none')
F.binary_cross_entropy(y, x.sigmoid()) | F.binary_cross_entropy(y, c.sigmoid(), weight=c)
F.binary_cross_entropy_with_logits(x, c.sigmoid()) | F.binary_cross_entropy_with_logits(x, y, weight=c, pos_weight=c)
F.kl_div(x, c.sigmoid()) | F.kl_div(x, y, reduction='batchmean') | F.kl_div(x, y, log_target=True, reduction='sum')
F.hinge_embedding_loss(x, c.sign()) | F.margin_ranking_loss(x, y, c.sign()) | F.soft_margin_loss(x, c.sign())
F.multi_margin_loss(m, k) | F.multilabel_margin_loss(m, torch.tensor([[0, 2, -1], [1, -1, 0]]))
F.multilabel_soft_margin_loss(m, (m > 0).double()) | F.cosine_embedding_loss(m, m.detach() + 1, torch.tensor([1, -1]))
F.triplet_margin_loss(m, m.detach() + 1, m.detach() - 1) | F.poisson_nll_loss(x, c.abs())
F.triplet_margin_with_distance_loss(m, m.detach() + 1, m.detach() - 1) | F.gaussian_nll_loss(x, y, c.abs())
F.ctc_loss(m.view(2, 1, 3).log_softmax(2), torch.tensor([[1]]), (2,), (1,)) | F.layer_norm(m, (3,), x, y)
F.rms_norm(m, (3,), x) | F.batch_norm(m, None, None, x, y, True) | F.group_norm(m, 3, x, y)
F.batch_norm(m, c, c.abs(), x, y) | F.linear(m, m, m[:, 0]) | F.linear(m.expand(2, 2, 3), m)
F.bilinear(x, y, (m.t() @ m)[None]) | F.conv1d(m[None], m[None])
F.conv2d(m[None, None], m[None, None, :, :2], s.view(1)) | F.conv_transpose1d(m[None], m[:, None])
F.embedding(k % 2, m) | F.embedding(k % 2, m, padding_idx=1) | F.max_pool1d(m, 2)
F.avg_pool1d(m, 2) | F.interpolate(m[None], scale_factor=2) | F.pad(m, (1, 1)) | F.unfold(m[None], (1, 2))
F.scaled_dot_product_attention(m[None, None], m[None, None], m[None, None]) | F.cosine_similarity(x, y, dim=0)
torch.cdist(m * 1, m) | torch.cdist(m, m * 1, p=1.) | F.pdist(m) | F.normalize(m) | F.pairwise_distance(m, m + 1)
m @ x | x @ y | m.t() @ m | torch.outer(x, y) | torch.addmm(m, m, m.detach().t() @ m, beta=2)
torch.addmv(x, m.t() @ m, y) | torch.bmm(m[None], m.t()[None]) | torch.einsum('ij,j->i', m, x)
torch.tensordot(m, x, 1) | torch.kron(x, y) | m[1] | m[:, 1] | m[[0, 1]] | m[m > 0] | m.gather(1, k[:, None])
m.index_select(1, k) | m.take(k) | m.masked_fill(m > 0, 2.) | m.index_add(1, k, m[:, :2]) | m.index_copy(1, k, m[:, :2])
m.scatter(1, k[:, None], m[:, :1]) | m.masked_select(m > 0) | m.t() | m.view(-1) | m.t().reshape(-1) | m.permute(1, 0)
m.expand(2, 2, 3) | m.unsqueeze(0) | m.repeat(2, 1) | m.flip(0) | m.roll(1, 0) | m.unfold(1, 2, 1) | m.chunk(3, 1)[1]
m.split([1, 2], 1)[1] | m.unbind()[1] | torch.cat([m, m]) | m.tril() | torch.stack([x, y]) | torch.diag(x)
m.diagonal() | m.clone() | m.to(torch.float32) | m.sort(1) | m.topk(2) | torch.atleast_2d(x)
torch.linalg.det(m @ m.t()) | torch.linalg.inv(m @ m.t()) | torch.linalg.solve(m @ m.t(), m)
torch.linalg.cholesky(m @ m.t()) | torch.linalg.qr(m.t())[1] | torch.linalg.eigvalsh(m @ m.t())
torch.linalg.slogdet(m @ m.t())[1] | torch.cross(x, y, dim=0) | torch.cholesky_solve(m, (m @ m.t()).tril())
torch.triangular_solve(m, (m @ m.t()).tril(), upper=False)[0] | torch.fft.fft(m) | torch.fft.fft2(m).abs()
torch.fft.fftn(m).real | torch.fft.rfft(x).abs() | torch.fft.irfft(torch.fft.rfft(x))
torch.complex(x, y) | torch.complex(x, y).abs() | torch.polar(x, y).real | torch.view_as_real(torch.complex(x, y))
torch.view_as_complex(m[:, :2] * 1).real
"""


UNLIKE = {
    "torch.atan2(x, y)", "torch.mvlgamma(y + 3, 2)", "torch.special.i0e(x)", "m.logcumsumexp(1)",
    "torch.fft.fft2(m).abs()", "torch.fft.rfft(x).abs()", "torch.complex(x, y).abs()", "torch.polar(x, y).real",
    "F.prelu(x, s)",
}  # fmt: skip
"""Expressions whose second derivatives have other graphs here: the numbers are the same."""


def expressions() -> list[str]:
    return [text.strip() for line in EXPRESSIONS.strip().splitlines() for text in line.split(" | ")]


def graph(node: Any, depth: int = DEPTH) -> str:
    """`MulBackward0(AccumulateGrad,None)`, down to a depth."""
    if node is None:
        return "None"
    name = type(node).__name__
    if name == "AccumulateGrad":
        return name
    if not depth:
        return "..."
    return f"{name}({','.join(graph(child, depth - 1) for child, _ in node.next_functions)})"


def graphs(torch: Any, functional: Any, expression: str) -> dict[str, str]:
    """The graph of the expression's (first) result, what its node saved, and graphs of gradients in the inputs."""
    double = torch.float64
    names = {
        "x": torch.tensor([0.3, -0.7, 0.9], dtype=double, requires_grad=True),
        "y": torch.tensor([0.5, 0.6, 0.4], dtype=double, requires_grad=True),
        "m": torch.tensor([[0.3, -0.7, 0.9], [1.5, 0.2, -0.4]], dtype=double, requires_grad=True),
        "s": torch.tensor(0.5, dtype=double, requires_grad=True),
        "c": torch.tensor([1.5, 2.5, -3.5], dtype=double),
        "k": torch.tensor([0, 2]),
    }
    result = eval(expression, {"torch": torch, "F": functional, **names})
    if isinstance(result, tuple | list):
        result = result[0]
    saved = {name for name in dir(result.grad_fn) if name.startswith("_saved_")}
    found = {"result": graph(result.grad_fn), "saved": " ".join(sorted(saved))}
    incoming = torch.ones_like(result).requires_grad_()
    grads = {}
    for name in INPUTS:
        (grad,) = torch.autograd.grad(result, [names[name]], incoming, create_graph=True, allow_unused=True)
        if grad is not None:
            found[name] = graph(grad.grad_fn)
            grads[name] = grad
    live = [grad for grad in grads.values() if grad.requires_grad]
    sources = {name: names[name] for name in grads} | {"incoming": incoming}
    if live and expression not in UNLIKE:
        ones = [torch.ones_like(grad) for grad in live]
        try:
            second = torch.autograd.grad(live, list(sources.values()), ones, create_graph=True, allow_unused=True)
        except RuntimeError as error:
            return found | {"second": str(error)}
        for name, grad in zip(sources, second, strict=True):
            if grad is not None:
                found[f"second {name}"] = graph(grad.grad_fn, SECOND) if grad.requires_grad else "constant"
    return found


def record() -> None:
    import torch

    warnings.simplefilter("ignore")
    answers = {text: graphs(torch, torch.nn.functional, text) for text in expressions()}
    document = {"recorded_with": f"torch {torch.__version__.partition('+')[0]}", "graphs": answers}
    ANSWERS.write_text(json.dumps(document, indent=0) + "\n")


if __name__ == "__main__":
    record()
