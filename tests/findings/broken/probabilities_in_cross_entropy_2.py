# A sigmoid before CrossEntropyLoss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 3), nn.Sigmoid())
out = net(torch.randn(6, 4))  # finds out
loss = nn.CrossEntropyLoss()(out, torch.randint(0, 3, (6,)))
loss.backward()
