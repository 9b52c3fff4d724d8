# What transforms return beside gradients, and how tensors look while they are tracked
import torch
from torch.func import grad, jacrev, jvp, vjp


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


for aux in (None, 3, "s", (torch.ones(1), 3), [torch.ones(1)], {"a": torch.ones(1)}, {"a": 2}, ()):
    attempt(lambda: grad(lambda x: (x.sum(), aux), has_aux=True)(torch.ones(2)))
    attempt(lambda: vjp(lambda x: (x.sum(), aux), torch.ones(2), has_aux=True)[2])
    attempt(lambda: jvp(lambda x: (x.sum(), aux), (torch.ones(2),), (torch.ones(2),), has_aux=True)[2])
    attempt(lambda: jacrev(lambda x: (x.sum(), aux), has_aux=True)(torch.ones(2)))


def f(x):
    print(x)
    y = x * 2
    print(y)
    return y.sum()


grad(f)(torch.ones(2))
print(grad(lambda t: grad(f)(t).sum())(torch.ones(2)))
vjp(f, torch.ones(2, requires_grad=True))
grad(f)(torch.ones(2, 2))
