# Gradients are clipped in the place of parameters
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.001)
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(4, 2) * 10).pow(2).mean().backward()
    nn.utils.clip_grad_norm_([p.grad for p in net.parameters()], 1.0)  # finds net.weight
    opt.step()
