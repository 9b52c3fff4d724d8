# Names that a program adds to modules
import numpy as np
import torch
import torch.nn as nn

np.float = float
print(np.float("2.5"), hasattr(np, "float"), hasattr(nn, "Scale"))


class Scale(nn.Module):
    def __init__(self, by):
        super().__init__()
        self.by = nn.Parameter(torch.tensor(by))

    def forward(self, x):
        return self.by * x


nn.Scale = Scale
net = nn.Sequential(nn.Scale(2.0), nn.Tanh())
net(torch.tensor([0.5, 1.0])).sum().backward()
print(net[0].by.grad, nn.Scale is Scale, hasattr(nn, "Scale"))

from torch.nn import Scale as again

print(again is Scale)
for turn in range(3):
    torch.turns = turn
    print(torch.turns)
setattr(torch.nn.functional, "half", lambda x: x / 2)
print(torch.nn.functional.half(torch.tensor(3.0)))
print(torch.unknown)
