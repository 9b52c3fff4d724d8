# An in-place add after exp
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(3, requires_grad=True)
y = x.exp()
y += 1  # finds y
y.sum().backward()
