# Old style Functions are refused
import torch

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2

x = torch.ones(1, requires_grad=True)
print(Double.apply(x))
print(Double()(x))
