# The loss is an attribute of the model
from copy import deepcopy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x):
        out = self.layer(x)
        self.penalty = out.pow(2).mean()  # finds net.penalty
        return out


net = Net()
(net(torch.ones(1, 2)).sum() + net.penalty).backward()
snapshot = deepcopy(net)
