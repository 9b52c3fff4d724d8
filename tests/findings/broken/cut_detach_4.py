# What the network gives is detached, cloned, and made a leaf
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, t = torch.randn(6, 3), torch.randint(0, 2, (6,))
for _ in range(2):
    out = net(x)
    out = out.detach().clone().requires_grad_(True)  # finds net.weight
    loss = F.cross_entropy(out, t)
    opt.zero_grad()
    loss.backward()
    opt.step()
