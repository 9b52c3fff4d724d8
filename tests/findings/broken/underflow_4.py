# Weights of a loss that are tiny, and a product of matrices
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

a = (torch.rand(6, 5) + 1).half().requires_grad_()
b = (torch.rand(5, 4) * 1e-4 + 1e-4).half()
loss = ((a @ b) * 3e-5).sum()  # finds loss
loss.backward()
print(a.grad.abs().max())
