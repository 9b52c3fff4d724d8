# A hook on a tensor beside the way
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(3, requires_grad=True)
h = x * 2
h.register_hook(lambda g: print("h", g))  # finds h
loss = (x * 3).sum()
loss.backward()
