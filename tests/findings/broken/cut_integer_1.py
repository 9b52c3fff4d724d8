# The loss of predicted classes
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
pred = net(x).argmax(dim=1)  # finds net.weight
loss = (pred - y).float().pow(2).mean()
loss.backward()
