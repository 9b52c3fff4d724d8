# A straight-through estimator that only prints
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Round(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):  # finds
        print("arrived:", g)


w = torch.randn(3, requires_grad=True)
(Round.apply(w) * w).sum().backward()
