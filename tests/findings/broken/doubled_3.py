# A check of a gradient that calls backward again
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 1)
x = torch.ones(1, 2)


def gradient():
    net(x).sum().backward()  # finds net.weight
    return net.weight.grad


a = gradient().clone()
b = gradient()
print(torch.equal(a, b))
