# A copied loss that requires grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 1)
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    opt.zero_grad()
    out = net(torch.randn(4, 2))
    loss = torch.tensor(out.pow(2).mean(), requires_grad=True)  # finds net.weight
    loss.backward()
    opt.step()
