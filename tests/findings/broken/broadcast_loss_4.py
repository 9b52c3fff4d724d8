# A cross entropy by hand of a column of predictions and a row of targets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 3), torch.randint(0, 2, (16,)).float()
net = nn.Linear(3, 1)
p = torch.sigmoid(net(x))
loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()  # finds
loss.backward()
