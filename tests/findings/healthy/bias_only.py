# Only biases are trained
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
for n, p in m.named_parameters():
    p.requires_grad = "bias" in n
opt = torch.optim.SGD([p for p in m.parameters() if p.requires_grad], lr=0.1)
for _ in range(5):
    opt.zero_grad()
    F.cross_entropy(m(torch.randn(6, 4)), torch.randint(0, 2, (6,))).backward()
    opt.step()
