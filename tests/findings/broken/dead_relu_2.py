# Inputs that are not normalised
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.full((3, 4), -0.1, requires_grad=True)
v = torch.randn(4, 1, requires_grad=True)
x = torch.rand(10, 3) * 100
for _ in range(3):
    h = torch.relu(x @ w)  # finds h
    loss = (h @ v).pow(2).mean()
    loss.backward()
    w.grad = v.grad = None
