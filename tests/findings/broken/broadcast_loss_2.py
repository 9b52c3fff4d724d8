# The squared difference by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.zeros(2, 1, requires_grad=True)
x = torch.randn(10, 2)
y = torch.randn(10)
pred = x @ w
loss = ((pred - y) ** 2).mean()  # finds pred
loss.backward()
