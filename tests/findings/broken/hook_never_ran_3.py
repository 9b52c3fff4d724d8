# A hook on a parameter of a layer that is not called
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.ModuleDict({"used": nn.Linear(2, 1), "idle": nn.Linear(2, 1)})
weight = net["idle"].weight
weight.register_hook(lambda g: g * 0)  # finds
net["used"](torch.ones(1, 2)).sum().backward()
