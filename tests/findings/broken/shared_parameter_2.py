# One layer in two places
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
layer = nn.Linear(3, 3)
x = torch.randn(2, 3)
h = torch.tanh(layer(x))  # finds layer.weight
out = layer(h)
out.sum().backward()
