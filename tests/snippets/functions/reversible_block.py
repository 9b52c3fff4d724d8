# Memory saving: reversible block with recomputation in backward, compared with plain autograd
import torch, torch.nn as nn
torch.manual_seed(0)
class Rev(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x1, x2, f, g, *params):
        with torch.no_grad(): y1 = x1 + f(x2); y2 = x2 + g(y1)
        ctx.save_for_backward(y1, y2); ctx.f, ctx.g, ctx.n = f, g, len(params); return y1, y2
    @staticmethod
    def backward(ctx, d1, d2):
        y1, y2 = ctx.saved_tensors; f, g = ctx.f, ctx.g; pf, pg = list(f.parameters()), list(g.parameters())
        with torch.enable_grad():
            y1_ = y1.detach().requires_grad_(); gy = g(y1_); dg = torch.autograd.grad(gy, [y1_, *pg], d2)
        x2 = (y2 - gy).detach(); d1 = d1 + dg[0]
        with torch.enable_grad():
            x2_ = x2.requires_grad_(); fx = f(x2_); df = torch.autograd.grad(fx, [x2_, *pf], d1)
        return d1, d2 + df[0], None, None, *df[1:], *dg[1:]
f, g = nn.Sequential(nn.Linear(2, 2), nn.Tanh()), nn.Linear(2, 2); a, b = torch.randn(3, 2, requires_grad=True), torch.randn(3, 2, requires_grad=True); ps = [*f.parameters(), *g.parameters()]
y1, y2 = Rev.apply(a, b, f, g, *ps); (y1.pow(2).sum() + y2.sum()).backward(); r = [t.grad.clone() for t in (a, b, *ps)]
for t in (a, b, *ps): t.grad = None
y1 = a + f(b); y2 = b + g(y1); (y1.pow(2).sum() + y2.sum()).backward(); print([torch.allclose(p, t.grad, atol=1e-5) for p, t in zip(r, (a, b, *ps))], r[0])
