# A scaled parameter is no parameter
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True) * 0.01
x = torch.randn(2, 4)
for _ in range(2):
    loss = (x @ w).pow(2).mean()
    loss.backward()
    if w.grad is not None:  # finds w
        w = w - 0.1 * w.grad
