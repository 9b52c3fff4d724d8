# A frozen backbone under a head that is trained
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
net = nn.Sequential(backbone, nn.Linear(8, 1))
backbone.requires_grad_(False)  # finds backbone.0.weight
opt = torch.optim.SGD(net[1].parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(3):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
