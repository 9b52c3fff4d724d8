# MAML on sine tasks: inner loop with create_graph, outer Adam
import math
import torch
import torch.nn.functional as F
from collections import OrderedDict

torch.manual_seed(0)

def init_params():
    return OrderedDict(
        w1=(torch.randn(6, 1) * 0.5).requires_grad_(), b1=torch.zeros(6, requires_grad=True),
        w2=(torch.randn(1, 6) * 0.5).requires_grad_(), b2=torch.zeros(1, requires_grad=True))

def forward(p, x):
    return F.linear(torch.tanh(F.linear(x, p["w1"], p["b1"])), p["w2"], p["b2"])

def adapt(p, x, y, lr=0.1, steps=2, first_order=False):
    fast = p
    for _ in range(steps):
        loss = F.mse_loss(forward(fast, x), y)
        grads = torch.autograd.grad(loss, tuple(fast.values()), create_graph=not first_order)
        fast = OrderedDict((k, v - lr * g) for (k, v), g in zip(fast.items(), grads))
    return fast

def task():
    amp, phase = torch.rand(1) * 4 + 0.1, torch.rand(1) * math.pi
    def sample(n):
        x = torch.rand(n, 1) * 10 - 5
        return x, amp * torch.sin(x + phase)
    return sample

params = init_params()
opt = torch.optim.Adam(params.values(), lr=1e-2)
for it in range(2):
    opt.zero_grad()
    meta = 0.0
    for _ in range(2):
        s = task()
        fast = adapt(params, *s(5))
        xq, yq = s(5)
        meta = meta + F.mse_loss(forward(fast, xq), yq)
    meta.backward()
    opt.step()
    print(it, f"{meta.item():.5f}", [f"{v.grad.norm():.5f}" for v in params.values()])
s = task()
x, y = s(5)
for fo in (False, True):
    fast = adapt(params, x, y, first_order=fo)
    g = torch.autograd.grad(F.mse_loss(forward(fast, x), y), params["w1"])[0]
    print(fo, g.flatten()[:3], fast["w1"].grad_fn.name())
