# Straight-through estimator: round forward, identity backward
import torch

class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.round(x)

    @staticmethod
    def backward(ctx, g):
        return g

x = torch.tensor([0.2, 0.7, 1.5, -1.4], requires_grad=True)
plain = torch.round(x)
plain.sum().backward()
print("round alone:", x.grad)
x.grad = None
y = RoundSTE.apply(x)
print(y)
(y * torch.arange(4.0)).sum().backward()
print("straight through:", x.grad)
trick = x + (torch.round(x) - x).detach()
x.grad = None
trick.sum().backward()
print("detach trick:", trick.detach(), x.grad)
