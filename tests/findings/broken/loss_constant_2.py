# A learning rate of 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.0)
for _ in range(12):
    opt.zero_grad()
    loss = (w - 1).pow(2).sum()
    loss.backward()  # finds loss
    opt.step()
