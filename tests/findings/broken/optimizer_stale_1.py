# The head is replaced after the optimizer was made
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # finds net.2.weight
net[2] = nn.Linear(8, 2)
x, y = torch.randn(6, 4), torch.randint(0, 2, (6,))
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
