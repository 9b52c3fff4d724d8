# A hidden state changed in place
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(3, 3)

    def forward(self, h):
        h = torch.tanh(self.lin(h))
        h.mul_(0.5)  # finds h
        return h


Cell()(torch.randn(2, 3)).sum().backward()
