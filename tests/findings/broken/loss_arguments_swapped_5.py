# Weights of one's own, and BCELoss of (labels, probabilities)
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.randn(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
x = torch.randn(10, 3)
y = (x[:, 0] > 0).float()
bce = torch.nn.BCELoss()
for i in range(4):
    p = torch.sigmoid(x @ w + b)
    loss = bce(y, p)  # finds p
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
        b -= 0.1 * b.grad
    w.grad = b.grad = None
