# A recurrence that forgets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor(0.4, requires_grad=True)
h = torch.tensor([0.5, -0.5])
for t in range(12):
    h = torch.tanh(h * w + 0.3)  # finds w
h.sum().backward()
