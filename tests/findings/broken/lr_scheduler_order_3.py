# The scheduler steps first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1 / (e + 1))

sched.step()  # finds net.0.weight
for _ in range(2):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
