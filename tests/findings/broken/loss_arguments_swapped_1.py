# The labels come first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1), nn.Sigmoid())
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(16, 3), torch.randint(0, 2, (16, 1)).float()
for epoch in range(3):
    opt.zero_grad()
    pred = net(x)
    loss = F.binary_cross_entropy(y, pred)  # finds pred
    loss.backward()
    opt.step()
