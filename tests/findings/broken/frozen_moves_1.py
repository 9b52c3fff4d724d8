# Momentum goes on after a layer is frozen
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
x = torch.randn(4, 2)
for step in range(6):
    if step == 3:
        for p in net[0].parameters():
            p.requires_grad = False  # finds net.0.weight
    opt.zero_grad(set_to_none=False)
    net(x).pow(2).mean().backward()
    opt.step()
