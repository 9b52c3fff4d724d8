# Columns that start equal are units of x @ w
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w1 = torch.ones(3, 8, requires_grad=True)  # finds w1
w2 = torch.ones(8, 1, requires_grad=True)
X, y = torch.randn(12, 3), torch.randn(12, 1)
for i in range(4):
    h = torch.sigmoid(X @ w1)
    loss = ((h @ w2 - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w1 -= 0.05 * w1.grad; w2 -= 0.05 * w2.grad
        w1.grad.zero_(); w2.grad.zero_()
