# A custom Function whose backward can be differentiated
import torch

class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * 3 * x ** 2

x = torch.tensor(2.0, requires_grad=True)
y = Cube.apply(x)
first, = torch.autograd.grad(y, x, create_graph=True)
second, = torch.autograd.grad(first, x, create_graph=True)
third, = torch.autograd.grad(second, x)
print(first, second, third, sep="\n")
