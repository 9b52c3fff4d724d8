# A neural ODE by RK4 with autograd, and its adjoint by hand with vjps
import torch
import torch.nn as nn

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)

class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 2))
        self.nfe = 0
    def forward(self, t, y):
        self.nfe += 1
        return self.net(y)

def rk4(f, y, t0, t1, n):
    h = (t1 - t0) / n
    t = t0
    for _ in range(n):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = t + h
    return y

f = Field()
y0 = torch.tensor([[1.0, 0.0]], requires_grad=True)
y1 = rk4(f, y0, 0.0, 1.0, 6)
loss = y1.pow(2).sum()
loss.backward()
print(f.nfe, loss, y0.grad)
ref = torch.cat([p.grad.flatten() for p in f.parameters()])

params = tuple(f.parameters())
def aug(t, s):
    y, a, *_ = s
    with torch.enable_grad():
        y = y.detach().requires_grad_()
        fy = f(t, y)
        vy, *vp = torch.autograd.grad(fy, (y,) + params, -a, allow_unused=True)
    return [fy.detach(), vy] + vp

def add(a, b, h):
    return [x + h * y for x, y in zip(a, b)]

with torch.no_grad():
    s = [y1.detach(), 2 * y1.detach()] + [torch.zeros_like(p) for p in params]
    n, h = 40, -1.0 / 40
    for _ in range(n):
        k1 = aug(0, s); k2 = aug(0, add(s, k1, h / 2)); k3 = aug(0, add(s, k2, h / 2)); k4 = aug(0, add(s, k3, h))
        s = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(s, k1, k2, k3, k4)]
print(s[0], torch.allclose(s[0], y0, atol=1e-4))
print(torch.allclose(s[1], y0.grad, atol=1e-4), torch.allclose(torch.cat([g.flatten() for g in s[2:]]), ref, atol=1e-4))
torch.set_default_dtype(torch.float32)
