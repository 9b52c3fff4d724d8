# A generator that the optimizer has used up
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 1)
params = net.parameters()
opt = torch.optim.SGD(params, lr=0.001)
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(4, 2) * 10).pow(2).mean().backward()
    torch.nn.utils.clip_grad_norm_(params, 1.0)  # finds net.weight
    opt.step()
