# A model that keeps its last activation is copied
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)

    def forward(self, x):
        self.last = self.layer(x)  # finds net.last
        return self.last


net = Net()
net(torch.ones(1, 2)).sum().backward()
best = copy.deepcopy(net)
