# A parameter is assigned anew
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 2, bias=False)
opt = torch.optim.SGD(net.parameters(), lr=0.5)  # finds net.weight
net.weight = nn.Parameter(torch.zeros(2, 3))
for step in range(2):
    opt.zero_grad()
    loss = (net(torch.ones(1, 3)) - 1).pow(2).sum()
    loss.backward()
    opt.step()
