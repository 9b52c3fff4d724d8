# Large weights: what arrives at the first layers is large, and their gradients are all alike
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential()
for i in range(7):
    lin = nn.Linear(20, 20)  # finds net.0.weight
    nn.init.normal_(lin.weight)
    net.append(lin)
net.append(nn.Linear(20, 1))
loss = net(torch.randn(8, 20)).mean()
loss.backward()
