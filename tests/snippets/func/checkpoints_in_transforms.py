# Checkpoints inside of vmap, jvp and jacfwd run like any function; transforms that save tensors refuse their hooks
import torch
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vmap
from torch.utils.checkpoint import checkpoint


def f(x):
    return checkpoint(torch.exp, x, use_reentrant=False)


def total(x):
    return f(x).sum()


def tried(what, run):
    try:
        print(what, run())
    except RuntimeError as e:
        print(what, e)


x = torch.arange(3.0)
tried("vmap", lambda: vmap(f)(torch.ones(2, 3)))
tried("vmap of vmap", lambda: vmap(vmap(f))(torch.ones(1, 2, 3)))
tried("jvp", lambda: jvp(f, (x,), (x,)))
tried("jacfwd", lambda: jacfwd(f)(x))
tried("grad", lambda: grad(total)(x))
tried("jacrev", lambda: jacrev(f)(x))
tried("vmap of grad", lambda: vmap(grad(total))(torch.ones(2, 3)))
tried("hessian", lambda: hessian(total)(x))
tried("jacrev of jacfwd", lambda: jacrev(jacfwd(f))(x))
