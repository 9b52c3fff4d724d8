# A rate that is multiplied in each step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.randn(4, requires_grad=True)
x = torch.randn(20, 4)
y = x.sum(1)
opt = torch.optim.Adam([w], lr=0.1)  # finds w
for step in range(40):
    loss = (x @ w - y).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for group in opt.param_groups:
        group["lr"] *= 0.3
