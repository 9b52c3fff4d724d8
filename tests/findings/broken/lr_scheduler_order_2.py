# The scheduler steps first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)

def epoch():
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    sched.step()  # finds net.0.weight
    opt.step()


for _ in range(3):
    epoch()
