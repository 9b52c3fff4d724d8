# Prints inside forward, backward and hooks show the order of execution across two branches
import torch
class Tap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, name):
        ctx.tag = name
        print("forward", name)
        return x.clone()
    @staticmethod
    def backward(ctx, g):
        print("backward", ctx.tag, g.tolist())
        return g, None
tap = Tap.apply
x = torch.tensor([1.0, 2.0], requires_grad=True)
x.register_hook(lambda g: print("leaf hook", g.tolist()))
a = tap(x, "a")
b = tap(a * 2, "b")
c = tap(a * 3, "c")
d = tap(b * c, "d")
e = tap(d + a, "e")
e.sum().backward()
print(x.grad)
y = tap(tap(x, "inner") ** 2, "outer")
g, = torch.autograd.grad(y.sum(), x, create_graph=True)
print("second")
g.sum().backward()
print(x.grad)
