# A bias that is added to what is not used
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.1)
h = w * 2
z = h + b  # finds b
loss = h.pow(2).sum()
loss.backward()
opt.step()
