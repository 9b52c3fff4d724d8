# Losses collected as numbers are made a tensor again
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for i in range(3):
    x = torch.randn(5, 2)
    losses.append(net(x).pow(2).mean().item())  # finds net.weight
total = torch.tensor(losses, requires_grad=True).sum()
opt.zero_grad()
total.backward()
opt.step()
