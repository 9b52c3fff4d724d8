# A plain tensor is replaced after the optimizer was made
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)  # finds w
x = torch.randn(10, 3); y = torch.randn(10)
w = w.detach().clone().requires_grad_(True)
for i in range(4):
    opt.zero_grad()
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    opt.step()
