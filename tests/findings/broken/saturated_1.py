# Inputs in the hundreds before sigmoid
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
x = torch.rand(8, 3) * 5000 + 3000
loss = net(x).sum()  # finds
loss.backward()
