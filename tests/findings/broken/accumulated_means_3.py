# A square that is averaged, in micro-batches
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for step in range(2):
    opt.zero_grad()
    for micro in torch.randn(12, 3).chunk(3):
        loss = (micro @ w - 1).pow(2).mean()
        loss.backward()  # finds w
    opt.step()
