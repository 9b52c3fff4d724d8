# A reentrant checkpoint of data
from torch.utils.checkpoint import checkpoint
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
head = nn.Linear(4, 1)
x = torch.randn(8, 3)
h = checkpoint(net, x, use_reentrant=True)  # finds net.0.weight
head(h).sum().backward()
print(net[0].weight.grad)
