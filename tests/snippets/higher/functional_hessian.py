# torch.autograd.functional: jacobian, hessian, vjp, jvp, hvp
import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp, hvp, vhp

def f(x):
    return torch.stack([x[0] * x[1], x.sum() ** 2])

def g(x):
    return (x ** 3).sum() + x[0] * x[1]

x = torch.tensor([1.0, 2.0])
v = torch.tensor([1.0, -1.0])
print(jacobian(f, x))
print(hessian(g, x))
print(vjp(f, x, v))
print(jvp(f, x, v))
print(hvp(g, x, v)[1], vhp(g, x, v)[1])
