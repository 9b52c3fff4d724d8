# Two tasks share an encoder, and each has its backward()
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

encoder = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
first, second = nn.Linear(4, 1), nn.Linear(4, 2)
x = torch.randn(6, 3)
h = encoder(x)
loss_a = first(h).pow(2).mean()
loss_b = F.cross_entropy(second(h), torch.randint(0, 2, (6,)))
loss_a.backward()  # finds h
loss_b.backward()
