# The scheduler steps for each batch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.1)  # finds net.0.weight
x, y = torch.randn(24, 3), torch.randn(24, 1)
for epoch in range(4):
    for bx, by in zip(x.split(4), y.split(4)):
        opt.zero_grad()
        F.mse_loss(net(bx), by).backward()
        opt.step()
        scheduler.step()
