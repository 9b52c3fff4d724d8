# A threshold in a model
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(5, requires_grad=True)
b = torch.zeros(5, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.1)
gate = (w > 0.1).float()  # finds w
loss = (gate * 2 + b).pow(2).sum()
loss.backward()
opt.step()
