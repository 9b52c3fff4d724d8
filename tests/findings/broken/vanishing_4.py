# Small weights: what arrives at the first layers is small, and their gradients are all alike
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
ws = [(torch.randn(6, 6) * 0.05).requires_grad_() for _ in range(7)]  # finds ws[0]
x = torch.randn(4, 6)
for w in ws:
    x = torch.tanh(x @ w)
loss = x.sum()
loss.backward()
