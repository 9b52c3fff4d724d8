# One layer in two places of a Sequential
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
block = nn.Linear(4, 4)
net = nn.Sequential(block, nn.ReLU(), block, nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for _ in range(3):
    loss = net(torch.randn(6, 4)).pow(2).mean()  # finds block.weight
    opt.zero_grad()
    loss.backward()
    opt.step()
