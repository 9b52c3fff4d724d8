# A deep net without normalisation
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Siren(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(8))  # finds net.layers.0.weight

    def forward(self, x):
        for layer in self.layers:
            x = torch.sin(30 * layer(x))
        return x


net = Siren()
net(torch.randn(4, 8)).sum().backward()
