# round in a model
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(4, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    q = torch.round(w * 10) / 10  # finds w
    loss = (q - 1).pow(2).sum()
    loss.backward()
    opt.step()
