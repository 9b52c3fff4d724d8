# What autograd says when a custom backward returns the wrong things
import torch

def make(ret):
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b
        @staticmethod
        def backward(ctx, g):
            return ret(g)
    return F

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
cases = {
    "too many": lambda g: (g, g, g),
    "extra None": lambda g: (g, g, None),
    "too few": lambda g: g,
    "string": lambda g: (g, "x"),
    "float": lambda g: (g, 1.0),
    "wrong shape": lambda g: (g, torch.ones(3)),
    "broadcastable": lambda g: (g, torch.ones(5, 2)),
    "none": lambda g: (None, None),
    "list": lambda g: [g, g],
    "double": lambda g: (g.double(), g),
}
for name, ret in cases.items():
    a.grad = b.grad = None
    try:
        make(ret).apply(a, b).sum().backward()
        print(f"{name:14s} ok   {a.grad} {b.grad}")
    except Exception as e:
        print(f"{name:14s} {type(e).__name__}: {e}")
