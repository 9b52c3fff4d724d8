# The same module twice in a list
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
shared = nn.Linear(2, 2)
net = nn.ModuleDict({"a": shared, "b": nn.Linear(2, 2)})
y = net["a"](torch.ones(1, 2))  # finds shared.weight
y = net["b"](y)
y = net["a"](y)
y.sum().backward()
