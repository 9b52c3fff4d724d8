# A flag without its s
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
body, head = nn.Linear(4, 8), nn.Linear(8, 1)
for p in body.parameters():
    p.require_grad = False  # finds
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for _ in range(2):
    opt.zero_grad()
    F.mse_loss(head(torch.tanh(body(x))), y).backward()
    opt.step()
