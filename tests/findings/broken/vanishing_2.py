# Weights that are too small
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
ws = [(torch.randn(5, 5) * 0.05).requires_grad_() for _ in range(6)]  # finds ws[0]
h = torch.randn(3, 5)
for w in ws:
    h = torch.tanh(h @ w + 0.5)
h.sum().backward()
