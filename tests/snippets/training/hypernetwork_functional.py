# A network that makes the weights of another, batched with einsum and bmm, FiLM, LoRA and functional_call
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.manual_seed(0)
class Hyper(nn.Module):
    def __init__(self, z, i, o):
        super().__init__()
        self.i, self.o = i, o
        self.gen = nn.Linear(z, o * i + o)
    def forward(self, z, x):
        p = self.gen(z)
        W = p[:, :self.o * self.i].view(-1, self.o, self.i)
        b = p[:, self.o * self.i:]
        return torch.baddbmm(b.unsqueeze(-1), W, x.unsqueeze(-1)).squeeze(-1), W
h = Hyper(2, 3, 2)
z, x = torch.randn(4, 2, requires_grad=True), torch.randn(4, 3)
y, W = h(z, x)
print(y.shape, y.grad_fn, torch.allclose(y, torch.einsum("boi,bi->bo", W, x) + h.gen(z)[:, 6:], atol=1e-6))
y.pow(2).mean().backward()
print(z.grad, h.gen.weight.grad.norm())

class LoRA(nn.Module):
    def __init__(self, base, r=1, alpha=2):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) * 0.1)
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale = alpha / r
    def forward(self, x):
        return self.base(x) + F.linear(F.linear(x, self.A), self.B) * self.scale
    @torch.no_grad()
    def merge(self):
        m = nn.Linear(self.base.in_features, self.base.out_features)
        m.weight.copy_(self.base.weight + self.scale * self.B @ self.A)
        m.bias.copy_(self.base.bias)
        return m
lora = LoRA(nn.Linear(3, 2))
print(sum(p.numel() for p in lora.parameters() if p.requires_grad), torch.equal(lora(x), lora.base(x)))
opt = torch.optim.SGD([p for p in lora.parameters() if p.requires_grad], lr=0.5)
for _ in range(2):
    opt.zero_grad()
    l = lora(x).pow(2).mean()
    l.backward()
    opt.step()
    print(l, lora.A.grad.abs().sum(), lora.B.grad.abs().sum(), lora.base.weight.grad)
print(torch.allclose(lora.merge()(x), lora(x), atol=1e-6))
class FiLM(nn.Module):
    def __init__(self, c, f):
        super().__init__()
        self.cond = nn.Linear(c, 2 * f)
    def forward(self, x, c):
        g, b = self.cond(c).chunk(2, -1)
        return (1 + g) * x + b
print(FiLM(2, 3)(x, z).grad_fn)
net = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
fast = {k: v - 0.1 * g for (k, v), g in zip(net.named_parameters(), torch.autograd.grad(net(x).sum(), net.parameters(), create_graph=True))}
out = functional_call(net, fast, (x,))
out.sum().backward()
print(out.grad_fn, net[0].weight.grad)
