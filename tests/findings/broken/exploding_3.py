# A recurrence that doubles
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor(2.5, requires_grad=True)
h = torch.tensor([0.5, -0.5])
for t in range(12):
    h = h * w  # finds w
h.pow(2).sum().backward()
