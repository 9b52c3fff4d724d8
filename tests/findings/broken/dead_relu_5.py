# A last layer that dies in the first step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 1), nn.ReLU())
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x, y = torch.randn(32, 2), torch.full((32, 1), -3.0)
for _ in range(12):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)  # finds net.0.weight
    loss.backward()
    opt.step()
