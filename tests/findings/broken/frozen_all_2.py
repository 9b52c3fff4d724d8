# All parameters are frozen
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 1)
for param in net.parameters():
    param.requires_grad = False
loss = net(torch.randn(2, 3)).mean()
loss.backward()  # finds net.weight
