# Biases far below 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

nn.init.constant_(net[0].bias, -10.0)
for _ in range(2):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)  # finds net.0.weight
    loss.backward()
    opt.step()
