# Gradients are clipped before they are computed
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 3), torch.randn(16, 1)
for _ in range(4):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # finds net.0.weight
    loss.backward()
    opt.step()
