# A backward that returns a gradient of the wrong shape
import torch

class Total(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.sum()

    @staticmethod
    def backward(ctx, g):
        return g * torch.ones(2, 2)

x = torch.ones(3, requires_grad=True)
Total.apply(x).backward()
