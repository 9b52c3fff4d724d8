# A step by hand that makes a new tensor
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.randn(3, requires_grad=True)
x, y = torch.randn(8, 3), torch.randn(8)
for _ in range(3):
    loss = F.mse_loss(x @ w, y)
    loss.backward()
    with torch.no_grad():  # finds w
        w = w - 0.1 * w.grad
