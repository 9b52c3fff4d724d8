# Weights that are too large
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
ws = [(torch.randn(6, 6) * 5).requires_grad_() for _ in range(6)]  # finds ws[0]
h = torch.randn(3, 6)
for w in ws:
    h = torch.sin(h @ w)
h.sum().backward()
