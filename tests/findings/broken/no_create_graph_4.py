# The derivative in the residual of a differential equation
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters())
x = torch.linspace(0, 1, 10).unsqueeze(1).requires_grad_()
for _ in range(3):
    opt.zero_grad()
    u = net(x)
    du = torch.autograd.grad(u, x, torch.ones_like(u))[0]  # finds du
    loss = (du - torch.cos(x)).pow(2).mean()
    loss.backward()
    opt.step()
