# .grad of an intermediate result
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.ones(3, requires_grad=True)
h = x * 2
loss = h.sum()
loss.backward()
print(h.grad)  # finds h
