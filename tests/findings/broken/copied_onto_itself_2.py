# A network is to be reset between two trainings
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
start = net.state_dict()  # finds net.0.weight
x, y = torch.randn(8, 2), torch.randn(8, 1)
for lr in (0.1, 0.01):
    net.load_state_dict(start)
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    for _ in range(3):
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
