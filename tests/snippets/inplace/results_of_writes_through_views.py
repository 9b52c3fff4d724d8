"""Ops that save their result and write it through a view: the second derivative finds the view, not the op."""
import torch
from torch import nn

x = torch.tensor([[1.0, -1.0]], requires_grad=True)


def twice(make):
    y = make(x)
    (g,) = torch.autograd.grad(y.pow(2), [x], grad_outputs=torch.ones_like(y), create_graph=True)
    print(g, torch.autograd.grad(g.sum(), [x])[0])


def inside(x):
    b = x * 2
    b[0].sigmoid_()
    return b


twice(lambda x: (x * 2).view(2).relu_())
twice(lambda x: (x * 2).view(2).exp_())
twice(lambda x: (x * 2).view(2).tanh_())
twice(lambda x: torch.threshold_((x + 1).view_as(x), 0.0, 0.0))
twice(inside)
twice(nn.Sequential(nn.Unflatten(1, (1, 2)), nn.InstanceNorm1d(1, eps=1.0), nn.ReLU(True), nn.Flatten()))
