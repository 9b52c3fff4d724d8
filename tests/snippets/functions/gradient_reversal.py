# Gradient reversal layer for domain adaptation
import torch
import torch.nn as nn

class GradReverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, lambd):
        ctx.lambd = lambd
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.lambd, None

class Reversal(nn.Module):
    def __init__(self, lambd=1.0):
        super().__init__()
        self.lambd = lambd

    def forward(self, x):
        return GradReverse.apply(x, self.lambd)

features = torch.tensor([1.0, 2.0], requires_grad=True)
out = Reversal(0.5)(features)
print(out)
(out * 3).sum().backward()
print(features.grad)
