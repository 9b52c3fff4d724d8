# The root of a negative number in a training
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([0.5, -0.5], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    r = torch.sqrt(w - 0.2)  # finds r
    loss = r.sum()
    loss.backward()
    opt.step()
