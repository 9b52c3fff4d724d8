# What hooks may not return: gradients of other types and layouts, gradients where there were none, and dicts of outputs
import torch
from torch import nn
from torch.autograd.graph import register_multi_grad_hook


def tried(f):
    try:
        print(f())
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, e)


def hooked(x, hook):
    y = x.clone().requires_grad_() * 1
    y.register_hook(hook)
    tried(lambda: y.abs().sum().backward())


x = torch.ones(2)
for kind in (torch.half, torch.bfloat16, torch.cfloat, torch.int, torch.bool):
    hooked(x, lambda g: g.to(kind))
hooked(x, lambda g: g.double()[:1])
hooked(x.cdouble(), lambda g: g.real)
hooked(x, lambda g: g.to_sparse())

w = torch.ones(2, requires_grad=True)
y = w * 3
y.grad_fn.register_hook(lambda grads, outs: (grads[0], outs[0]))
tried(lambda: y.sum().backward())
y = w * 3
first = y.register_hook(lambda g: None)
print(len(y._backward_hooks), type(y._backward_hooks).__name__)
first.remove()
print(y._backward_hooks, (y * 2)._backward_hooks)


class Two(nn.Module):
    def forward(self, x):
        return {"a": x * 2, "b": x * 3}


two = Two()
two.register_full_backward_hook(lambda m, gi, go: print("never"))
out = two(w)
tried(lambda: (out["a"] + out["b"]).sum().backward())
y = w * 2
register_multi_grad_hook((y, w), lambda gs: print(gs))
y.sum().backward(retain_graph=True)
tried(lambda: torch.autograd.grad(y.sum(), w))
z = torch.ones(2, dtype=torch.cfloat, requires_grad=True) * 1
s = (z * z).abs().sum()
z.add_(1)
tried(lambda: s.backward())
