# Scores are reshaped to classes first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scores = net(torch.randn(6, 4))
flipped = scores.reshape(3, 6)  # finds scores
loss = (flipped * torch.randn(3, 6)).sum()
loss.backward()
opt.step()
