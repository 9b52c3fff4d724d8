# A parameter that was made without requires_grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(4, 1, requires_grad=True)
b = torch.zeros(1)
opt = torch.optim.SGD([w, b], lr=0.1)  # finds b
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(3):
    opt.zero_grad()
    F.mse_loss(x @ w + b, y).backward()
    opt.step()
