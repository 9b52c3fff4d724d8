# Adam with a learning rate of 0.5
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, 3, requires_grad=True)
opt = torch.optim.Adam([w], lr=0.5)  # finds w
for step in range(6):
    opt.zero_grad()
    loss = (torch.randn(4, 3) @ w - 1).pow(2).mean()
    loss.backward()
    opt.step()
