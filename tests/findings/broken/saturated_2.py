# Large weights before tanh
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = (torch.randn(4, 6) * 1000).requires_grad_()
h = torch.tanh(torch.randn(5, 4) @ w)  # finds h
h.pow(2).sum().backward()
