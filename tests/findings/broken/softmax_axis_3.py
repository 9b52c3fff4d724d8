# cross_entropy of a model with one output
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Linear(3, 1)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(net(x), y)  # finds
    loss.backward()
    opt.step()
