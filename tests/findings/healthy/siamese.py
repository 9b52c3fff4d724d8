# Two branches with the same weights, whose loss falls with every large step.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=0.05)
a, b, same = torch.randn(8, 4), torch.randn(8, 4), torch.randint(0, 2, (8,)).float()
for step in range(5):
    distance = F.pairwise_distance(net(a), net(b))
    loss = (same * distance**2 + (1 - same) * F.relu(1 - distance) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
