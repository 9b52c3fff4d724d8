# The slope of a norm at 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.zeros(3, requires_grad=True)
d = (x * x).sum().sqrt() * 0.0  # finds
d.backward()
