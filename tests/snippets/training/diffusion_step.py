# Denoising diffusion: schedules, q_sample, loss with time embedding, sampling loop, EMA
import math
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

T = 10
betas = torch.linspace(1e-4, 0.2, T)
alphas = 1.0 - betas
abar = torch.cumprod(alphas, dim=0)
abar_prev = F.pad(abar[:-1], (1, 0), value=1.0)
post_var = betas * (1.0 - abar_prev) / (1.0 - abar)
print(abar[[0, -1]], post_var[:3])

def extract(a, t, shape):
    return a.gather(-1, t).reshape(t.shape[0], *((1,) * (len(shape) - 1)))

def q_sample(x0, t, noise):
    return extract(abar.sqrt(), t, x0.shape) * x0 + extract((1 - abar).sqrt(), t, x0.shape) * noise

class SinPos(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, t):
        half = self.dim // 2
        e = torch.exp(torch.arange(half) * -(math.log(10000) / (half - 1)))
        e = t[:, None] * e[None, :]
        return torch.cat((e.sin(), e.cos()), dim=-1)

class Net(nn.Module):
    def __init__(self, d=2, h=8):
        super().__init__()
        self.time = nn.Sequential(SinPos(4), nn.Linear(4, h), nn.SiLU())
        self.inp, self.out = nn.Linear(d, h), nn.Linear(h, d)
    def forward(self, x, t):
        return self.out(F.silu(self.inp(x) + self.time(t)))

torch.manual_seed(0)
net = Net()
ema = copy.deepcopy(net).requires_grad_(False)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x0 = torch.randn(8, 2) * 0.1 + torch.tensor([1.0, -1.0])
for step in range(3):
    t = torch.randint(0, T, (8,)).long()
    noise = torch.randn_like(x0)
    loss = F.smooth_l1_loss(noise, net(q_sample(x0, t, noise), t))
    opt.zero_grad(); loss.backward(); opt.step()
    for e, p in zip(ema.parameters(), net.parameters()):
        e.lerp_(p, 0.1)
    print(step, t.tolist(), f"{loss.item():.5f}", loss.grad_fn.name())

@torch.no_grad()
def sample(n):
    x = torch.randn(n, 2)
    for i in reversed(range(T)):
        t = torch.full((n,), i, dtype=torch.long)
        mean = (x - extract(betas, t, x.shape) * ema(x, t) / extract((1 - abar).sqrt(), t, x.shape)) / extract(alphas.sqrt(), t, x.shape)
        x = mean if i == 0 else mean + extract(post_var, t, x.shape).sqrt() * torch.randn_like(x)
    return x
s = sample(3)
print(s, s.requires_grad)
score = lambda x: torch.autograd.grad(torch.distributions.Normal(0., 1.).log_prob(x).sum(), x)[0]
z = torch.tensor([0.5, -1.0], requires_grad=True)
print(score(z))
for _ in range(2):
    z = (z + 0.05 * score(z) + math.sqrt(0.1) * torch.randn(2)).detach().requires_grad_()
print(z)
