# A hook on an intermediate result, after backward()
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

x = torch.randn(3, requires_grad=True)
h = x * 2
loss = h.pow(2).sum()
loss.backward()
h.register_hook(lambda g: print("gradient of h:", g))  # finds h
