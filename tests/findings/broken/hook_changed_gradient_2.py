# A hook that clips
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 1)
for name, param in net.named_parameters():
    param.register_hook(lambda g: g.clamp(-0.01, 0.01))  # finds net.weight
net(torch.randn(4, 3)).sum().backward()
