# nll_loss of probabilities
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
probs = F.softmax(net(torch.randn(6, 4)), dim=1)  # finds probs
loss = F.nll_loss(probs, torch.randint(0, 3, (6,)))
loss.backward()
