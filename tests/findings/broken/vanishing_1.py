# Ten sigmoid layers
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
layers = []
for _ in range(10):
    layers += [nn.Linear(4, 4), nn.Sigmoid()]  # finds net.0.weight
net = nn.Sequential(*layers)
net(torch.randn(8, 4)).sum().backward()
