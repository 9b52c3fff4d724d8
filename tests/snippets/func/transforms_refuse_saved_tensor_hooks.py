# Reverse transforms refuse hooks for saved tensors, inside and around them, and functions that return nothing.
import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp
from torch.utils.checkpoint import checkpoint

x = torch.ones(2)


def told(name, function):
    try:
        print(name, function())
    except RuntimeError as error:
        print(name, error)


def hooked(t):
    with saved_tensors_hooks(lambda s: s, lambda s: s):
        return t.sin().sum()


for transform in (grad, grad_and_value, jacrev, jacfwd, hessian):
    told(transform.__name__, lambda: transform(hooked)(x))
told("vjp", lambda: vjp(hooked, x)[0])
told("jvp", lambda: jvp(hooked, (x,), (x,)))
told("checkpoint", lambda: grad(lambda t: checkpoint(torch.sin, t, use_reentrant=False).sum())(x))
with saved_tensors_hooks(lambda s: s, lambda s: s):
    told("around grad", lambda: grad(lambda t: t.sin().sum())(x))
    told("around jvp", lambda: jvp(lambda t: t.sin().sum(), (x,), (x,)))
print(hooked(x))

for out in ((), [], {}, None, 1.0, (x, 1)):
    told(f"vjp {out}", lambda: vjp(lambda t: out, x)[0])
    told(f"jvp {out}", lambda: jvp(lambda t: out, (x,), (x,)))
    told(f"jacrev {out}", lambda: jacrev(lambda t: out)(x))
    told(f"jacfwd {out}", lambda: jacfwd(lambda t: out)(x))
