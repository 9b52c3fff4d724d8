# The sign of a parameter
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Binary(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(3))

    def forward(self, x):
        return (x * torch.sign(self.w)).sum()  # finds net.w


net = Binary()
net(torch.ones(3)).backward()
