# Where the kernels of bfloat16 round: once, after each step, or in whole vectors of 32 otherwise than in what is left.
import torch
import torch.nn.functional as F


def numbers(n, seed):
    torch.manual_seed(seed)
    return torch.randn(n).bfloat16().requires_grad_()


def tried(name, function, n=37):
    a, b, c = numbers(n, 1), numbers(n, 2), numbers(n, 3)
    y = function(a, b, c)
    y.backward(numbers(y.numel(), 4).detach().view(y.shape))
    found = [t.float().sum().item() for t in (y.detach(), a.grad, b.grad, c.grad) if t is not None]
    print(name, y.grad_fn, found, y.detach().float().view(-1)[:6].tolist(), a.grad.float().view(-1)[-6:].tolist())


tried("numbers", lambda a, b, c: (a + 0.3) * 0.3 + (0.3 - b) / 0.3 + c % 0.3)
tried("alpha", lambda a, b, c: torch.add(a, b, alpha=0.3) + torch.sub(b, c, alpha=0.7))
tried("addcmul", lambda a, b, c: torch.addcmul(a, b, c, value=0.001) + torch.lerp(a, b, 0.1))
tried("powers", lambda a, b, c: a**3 + b.abs() ** 0.3 + 2.3**c)
tried("roots", lambda a, b, c: a.abs().rsqrt() + b.abs() ** -0.5 + (c.abs() + 1) ** -2)
tried("gates", lambda a, b, c: F.silu(a) * F.mish(b) + F.logsigmoid(c))
tried("glu", lambda a, b, c: F.glu(torch.cat([a, b])) * F.gelu(c))
tried("softmax", lambda a, b, c: F.log_softmax(torch.stack([a, b, c], 1), 1) * F.softmax(torch.stack([c, a, b], 1), 1))
tried("logsumexp", lambda a, b, c: a.logsumexp(0) + (b * c).logsumexp(0))
tried("mse", lambda a, b, c: F.mse_loss(a, b) + F.mse_loss(b, c, reduction="sum"))
tried("huber", lambda a, b, c: F.huber_loss(a, b, delta=0.7) + F.smooth_l1_loss(b, c))
tried("bce", lambda a, b, c: F.binary_cross_entropy_with_logits(a, b.sigmoid()) + c.sum())
tried("probability", lambda a, b, c: F.binary_cross_entropy(a.sigmoid(), b.sigmoid().detach(), reduction="none") * c)
tried("entropy", lambda a, b, c: F.cross_entropy(torch.stack([a, b, c], 1), torch.arange(37) % 3))
tried("batch norm", lambda a, b, c: F.batch_norm(torch.stack([a, b, c], 1), None, None, training=True))
tried("special", lambda a, b, c: torch.special.xlog1py(b, a.abs()) + torch.lgamma(c.abs() + 1))
tried("rms norm", lambda a, b, c: F.rms_norm(torch.stack([a, b]), (8,), c.detach()), 8)
q, k, v = (numbers(24, seed).detach().view(1, 2, 3, 4).requires_grad_() for seed in (5, 6, 7))
out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
out.sum().backward()
print(out, q.grad, k.grad, v.grad)
out = F.scaled_dot_product_attention(q[0], k[0], v[0])
print(out)
print(F.rms_norm(torch.tensor([[0.1, 1.5, -2.0, 0.25]], dtype=torch.float16, requires_grad=True), (4,)))


def mean_that_runs():
    norm = torch.nn.BatchNorm1d(3).bfloat16()
    norm(torch.stack([numbers(5, seed) for seed in (1, 2, 3)], 1))
    return norm.running_mean


print(mean_that_runs())
