# A custom loss as Module, Function and plain function agree; smooth, focal, dice, quantile, huber variants
import torch
import torch.nn as nn
import torch.nn.functional as F

class QuantileLoss(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.quantiles = quantiles
    def forward(self, preds, target):
        assert not target.requires_grad
        assert preds.size(0) == target.size(0)
        losses = []
        for i, q in enumerate(self.quantiles):
            errors = target - preds[:, i]
            losses.append(torch.max((q - 1) * errors, q * errors).unsqueeze(1))
        return torch.mean(torch.sum(torch.cat(losses, dim=1), dim=1))

class HuberFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, p, t, delta=1.0):
        d = p - t
        ctx.save_for_backward(d)
        ctx.delta = delta
        return torch.where(d.abs() <= delta, 0.5 * d * d, delta * (d.abs() - 0.5 * delta)).mean()
    @staticmethod
    def backward(ctx, g):
        d, = ctx.saved_tensors
        gi = g * d.clamp(-ctx.delta, ctx.delta) / d.numel()
        return gi, -gi if ctx.needs_input_grad[1] else None, None

class FocalLoss(nn.Module):
    def __init__(self, alpha=0.25, gamma=2.0, reduction="mean"):
        super().__init__()
        self.alpha, self.gamma, self.reduction = alpha, gamma, reduction
    def forward(self, logits, targets):
        bce = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
        pt = torch.exp(-bce)
        loss = self.alpha * (1 - pt) ** self.gamma * bce
        return {"mean": loss.mean, "sum": loss.sum, "none": lambda: loss}[self.reduction]()
    def extra_repr(self):
        return ", ".join(f"{k}={getattr(self, k)!r}" for k in ("alpha", "gamma", "reduction"))

torch.manual_seed(0)
p = torch.randn(4, 3, requires_grad=True)
t = torch.randn(4)
q = QuantileLoss([0.1, 0.5, 0.9])(p, t)
q.backward()
print(q, p.grad)
a = torch.randn(5, requires_grad=True)
b = torch.randn(5)
g1, = torch.autograd.grad(HuberFn.apply(a, b), a)
g2, = torch.autograd.grad(F.huber_loss(a, b), a)
g3, = torch.autograd.grad(F.smooth_l1_loss(a, b), a)
print(torch.allclose(g1, g2), torch.allclose(g2, g3), HuberFn.apply(a, b).grad_fn.name())
f = FocalLoss()
print(f, f(a, (b > 0).float()))
f.reduction = "none"
print(f(a, (b > 0).float()).shape, torch.autograd.gradcheck(lambda v: FocalLoss(reduction="sum")(v, torch.ones(3, dtype=torch.float64)), torch.randn(3, dtype=torch.float64, requires_grad=True)))
def dice(p, t, eps=1.0):
    p, t = p.flatten(1), t.flatten(1)
    return (1 - (2 * (p * t).sum(1) + eps) / (p.sum(1) + t.sum(1) + eps)).mean()
m = torch.rand(2, 1, 3, 3, requires_grad=True)
d = dice(m, (m > 0.5).float())
d.backward()
print(d, m.grad.sum())
def log_cosh(x, y): return torch.mean(torch.log(torch.cosh(x - y + 1e-12)))
print(log_cosh(a, b), log_cosh(a, b).grad_fn.next_functions[0][0].name())
class Weighted(nn.MSELoss):
    def __init__(self, w): super().__init__(reduction="none"); self.w = w
    def forward(self, i, t): return (super().forward(i, t) * self.w).sum()
print(Weighted(torch.arange(5.))(a, b), Weighted(1))
