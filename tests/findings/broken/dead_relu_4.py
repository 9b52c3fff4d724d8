# A clamp from 0 up that gives only zeros
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w1 = (-torch.rand(3, 5)).requires_grad_()
w2 = torch.randn(5, 1, requires_grad=True)
x = torch.rand(20, 3)
y = torch.rand(20, 1)
for i in range(3):
    h = (x @ w1).clamp(min=0)  # finds h
    loss = ((h @ w2 - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for w in (w1, w2):
            w -= 0.01 * w.grad
            w.grad.zero_()
