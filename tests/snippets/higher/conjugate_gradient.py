# Solve Hx = g with Hessian-vector products only
import torch

def f(w):
    return 0.25 * (w ** 4).sum() + (w[0] * w[1] - 1) ** 2

w = torch.tensor([1.0, 0.5, -0.5], dtype=torch.float64, requires_grad=True)
g, = torch.autograd.grad(f(w), w, create_graph=True)

def hvp(v):
    return torch.autograd.grad(g, w, v, retain_graph=True)[0] + 0.1 * v

x = torch.zeros_like(g)
r = g.detach().clone()
p = r.clone()
for k in range(3):
    Hp = hvp(p)
    alpha = r.dot(r) / p.dot(Hp)
    x, r_new = x + alpha * p, r - alpha * Hp
    print(k, f"|r| = {r_new.norm().item():.3e}" if k < 2 else f"|r| < 1e-9: {bool(r_new.norm() < 1e-9)}")
    p, r = r_new + r_new.dot(r_new) / r.dot(r) * p, r_new
print(x)
