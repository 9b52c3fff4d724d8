# The slope of a distance of 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
a = nn.Parameter(torch.ones(4, 3))
b = torch.ones(4, 3)
dist = torch.sqrt(((a - b) ** 2).sum(1))  # finds dist
loss = dist.mean()
loss.backward()
print(a.grad)
