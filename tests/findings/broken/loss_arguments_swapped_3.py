# cross_entropy of one-hot labels, and then the scores
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
x, y = torch.randn(9, 4), torch.arange(9) % 3
target = F.one_hot(y, 3).float()
logits = net(x)
loss = F.cross_entropy(target, logits)  # finds logits
loss.backward()
print(net[2].weight.grad)
