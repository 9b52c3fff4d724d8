# retain_grad() comes after backward()
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
h = w * 2
loss = h.pow(2).sum()
loss.backward()
h.retain_grad()  # finds h
print(h.grad)
