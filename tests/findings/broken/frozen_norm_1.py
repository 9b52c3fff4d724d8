# A frozen backbone with batch norm, under a head that is trained
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
backbone = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
head = nn.Linear(4, 1)
for p in backbone.parameters():
    p.requires_grad = False
opt = torch.optim.SGD(head.parameters(), lr=0.01)
x = torch.randn(8, 3) + 2
for _ in range(3):
    opt.zero_grad()
    loss = head(backbone(x)).pow(2).mean()  # finds backbone.1.running_mean
    loss.backward()
    opt.step()
