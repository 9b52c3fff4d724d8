# What is stored on the node of a custom Function is what its ctx holds, and the other way round
import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.k = 3.
        ctx.j = 1.
        return x * 3
    @staticmethod
    def backward(ctx, g):
        print("in backward", ctx.k, getattr(ctx, "note", None), hasattr(ctx, "j"))
        return g * ctx.k
x = torch.ones(2, requires_grad=True)
y = F.apply(x)
n = y.grad_fn
n.note = "mine"
print(n.note, n.k, dict(vars(n)))
n.k = 7.
del n.j
try: n.j
except AttributeError as e: print(e)
print(vars(n), n.k)
vars(n)["z"] = 5
print(n.z)
del n.note
print(vars(n))
try: del n.nothing
except AttributeError as e: print(e)
y.sum().backward()
print(x.grad)
