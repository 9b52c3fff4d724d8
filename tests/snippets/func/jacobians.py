# jacrev, jacfwd, hessian, jvp, vjp
import torch
from torch.func import jacrev, jacfwd, hessian, jvp, vjp

def f(x):
    return torch.stack([x.prod(), (x ** 2).sum()])

x = torch.tensor([2.0, 3.0, 4.0])
print(jacrev(f)(x))
print(jacfwd(f)(x))
print(hessian(lambda t: t.prod())(x))
out, tangent = jvp(f, (x,), (torch.tensor([1.0, 0.0, 0.0]),))
print(out, tangent)
out, pull = vjp(f, x)
print(pull(torch.tensor([0.0, 1.0])))
