# The bias is not in the optimizer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)  # finds b
x, y = torch.randn(8, 3), torch.randn(8)
for _ in range(5):
    opt.zero_grad()
    loss = ((x @ w + b) - y).pow(2).mean()
    loss.backward()
    opt.step()
