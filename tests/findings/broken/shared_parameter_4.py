# A plain matrix in every turn of a recurrence
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
h = torch.randn(2, 3)
for t in range(4):
    h = torch.tanh(h @ w)  # finds w
h.sum().backward()
