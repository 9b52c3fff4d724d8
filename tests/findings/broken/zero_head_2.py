# A plain matrix of zeros behind another
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w1 = torch.randn(4, 8, requires_grad=True)
b1 = torch.randn(8, requires_grad=True)
w2 = torch.zeros(8, 1, requires_grad=True)  # finds w2
x, y = torch.randn(16, 4), torch.randn(16, 1)
F.mse_loss(torch.tanh(x @ w1 + b1) @ w2, y).backward()
print(w1.grad, w2.grad)
