# A copy of a layer's weight that is none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
one, two = nn.Linear(4, 4), nn.Linear(4, 4)
two.weight = nn.Parameter(one.weight.detach())  # finds two.weight
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.05)
for _ in range(3):
    x = torch.randn(8, 4)
    opt.zero_grad()
    (two(torch.relu(one(x))) - x).pow(2).mean().backward()
    opt.step()
