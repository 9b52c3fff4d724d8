# The optimizer takes a step between the passes of two losses
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
out = net(torch.randn(4, 2))
opt.zero_grad()
out.mean().backward(retain_graph=True)
opt.step()  # finds net.2.weight
out.pow(2).mean().backward()
