# cross_entropy of log-probabilities
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
out = F.log_softmax(net(x), dim=1)
loss = F.cross_entropy(out, y)  # finds out
loss.backward()
