# A mean over many numbers, divided once more for accumulation
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.randn(12, 12, requires_grad=True)
opt = torch.optim.Adam([w], lr=1e-3)
for i in range(2):
    total = 0.0
    for micro in range(2):
        h = torch.tanh(torch.randn(40, 12) @ w).half()
        loss = h.float().pow(2).mean() * 1e-6 / 512  # finds loss
        loss.backward()
    opt.step()
    opt.zero_grad()
