# Gradient descent by hand that never clears .grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.zeros(2, requires_grad=True)
x, y = torch.randn(20, 2), torch.randn(20)
for i in range(6):
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()  # finds w
    with torch.no_grad():
        w -= 0.1 * w.grad
