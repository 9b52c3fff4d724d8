# A checkpoint computes again only as far as something was saved, within another one too, and as its forward did.
import torch
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop


def told(name):
    def function(x):
        print(name)
        return x.sin().exp()

    return function


a = torch.tensor(1.0, requires_grad=True)


def outer(x):
    y = checkpoint(told("inner"), x, use_reentrant=False)
    print("between")
    return y.cos()


checkpoint(outer, a, use_reentrant=False).backward()
print(a.grad)


def cloned(x):
    y = x.sin().cos()
    print("before the clone")
    return y.clone(), print("after the clone")


for early_stop in (True, False):
    print("early stop", early_stop)
    with set_checkpoint_early_stop(early_stop):
        out, _ = checkpoint(cloned, a, use_reentrant=False)
    out.backward()
out, _ = checkpoint(cloned, a, use_reentrant=False, early_stop=False)
out.backward()


def gradient_inside(x):
    y = x.sin().exp()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return g * x


checkpoint(gradient_inside, a, use_reentrant=False).backward()
print(a.grad)


class Keeps(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(y)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        print(ctx.saved_tensors[0] is b)
        return g, None


b = torch.tensor(1.0)
checkpoint(Keeps.apply, a, b, use_reentrant=False).backward()


def product(x):
    y = x @ x.T
    print(y.dtype)
    return y.float().exp().sum()


w = torch.eye(2, requires_grad=True)
with torch.autocast("cpu", dtype=torch.bfloat16):
    out = checkpoint(product, w, use_reentrant=False)
out.backward()
print(w.grad)

turns = iter([2, 3, 3, 2])


def grows(x):
    for _ in range(next(turns)):
        x = x.sin()
    return x


for early_stop in (False, False):
    try:
        with set_checkpoint_early_stop(early_stop):
            checkpoint(grows, a, use_reentrant=False).backward()
    except RuntimeError as error:
        print(type(error).__name__, str(error).splitlines()[:3])
try:
    checkpoint(grows, a, use_reentrant=False, determinism_check="other")
except ValueError as error:
    print(error)
with torch.no_grad():
    print(checkpoint(told("no grad"), a, use_reentrant=False))
