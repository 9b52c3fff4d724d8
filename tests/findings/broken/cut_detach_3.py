# A list of outputs is detached before they are stacked
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.1)
outputs = []
for step in range(4):
    out = (w * torch.randn(3)).sum()
    outputs.append(out.detach())  # finds w
loss = (torch.stack(outputs) + b).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()
