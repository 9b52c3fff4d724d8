# The first layer is frozen, and the optimizer holds it
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
for p in net[0].parameters():
    p.requires_grad = False
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # finds net.0.weight
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(3):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
