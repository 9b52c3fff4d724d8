# Sequential: indexing, slicing, append, OrderedDict, iteration
from collections import OrderedDict
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(OrderedDict([("fc1", nn.Linear(2, 4)), ("act", nn.ReLU()), ("fc2", nn.Linear(4, 1))]))
print(net.fc1 is net[0], len(net), net[-1])
print(net[:2])
net.append(nn.Sigmoid())
print([type(m).__name__ for m in net])
x = torch.ones(1, 2)
for name, module in net.named_children():
    x = module(x)
    print(f"{name:4} -> {tuple(x.shape)}")
print(x)
del net[3]
print(len(net), isinstance(net, nn.Module))
