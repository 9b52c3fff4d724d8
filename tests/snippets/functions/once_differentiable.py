# once_differentiable refuses a second derivative
import torch
from torch.autograd.function import once_differentiable

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * g * x

x = torch.tensor(3.0, requires_grad=True)
g, = torch.autograd.grad(Square.apply(x), x, create_graph=True)
print(g)
try:
    g.backward()
except RuntimeError as e:
    print("RuntimeError:", e)
