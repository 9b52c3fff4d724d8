# A large rate, three steps
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=1.0)  # finds net.0.weight
for _ in range(4):
    loss = F.mse_loss(net(torch.randn(16, 4)), torch.randn(16, 1))
    opt.zero_grad(); loss.backward()
    opt.step()
