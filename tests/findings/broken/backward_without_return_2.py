# Two gradients that stay names
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):  # finds
        x, y = ctx.saved_tensors
        grad_x, grad_y = g * y, g * x


x, y = torch.randn(3, requires_grad=True), torch.randn(3, requires_grad=True)
Product.apply(x, y).sum().backward()
