# A module that is not frozen by its flag
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
net[0].requires_grad = False  # finds
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(2):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
