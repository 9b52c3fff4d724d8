# Double pendulum energy by autograd: Lagrangian mechanics with second derivatives
import torch
m, l, g = 1., 1., 9.8
def T(q, v): return .5 * m * (2 * l ** 2 * v[0] ** 2 + l ** 2 * v[1] ** 2 + 2 * l * l * v[0] * v[1] * torch.cos(q[0] - q[1]))
def V(q): return -m * g * l * (2 * torch.cos(q[0]) + torch.cos(q[1]))
def acc(q, v):
    q, v = q.detach().requires_grad_(), v.detach().requires_grad_(); L = T(q, v) - V(q)
    dq, dv = torch.autograd.grad(L, (q, v), create_graph=True)
    M = torch.stack([torch.autograd.grad(d, v, retain_graph=True)[0] for d in dv]); C = torch.stack([torch.autograd.grad(d, q, retain_graph=True)[0] for d in dv])
    return torch.linalg.solve(M, dq - C @ v).detach()
q, v = torch.tensor([1., .5]), torch.zeros(2); E0 = T(q, v) + V(q)
for s in range(4): v = v + .01 * acc(q, v); q = q + .01 * v; print([round(z, 6) for z in q.tolist()], f"{(T(q, v) + V(q) - E0).item():+.5f}")
