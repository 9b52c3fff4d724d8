# An in-place custom Function
import torch

class Inplace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a.clone()
c = Inplace.apply(b)
print(c is b, b, b._version)
c.sum().backward()
print(a.grad)
