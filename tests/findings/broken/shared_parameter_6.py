# A matrix and its transpose, as in an autoencoder with tied weights
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
x = torch.randn(2, 3)
y = torch.tanh(x @ w) @ w.T  # finds w
y.sum().backward()
