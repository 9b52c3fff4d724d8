# An optimizer is given the result of an op
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True) / 3  # finds w
opt = torch.optim.SGD([w], lr=0.1)
loss = w.sum()
loss.backward()
