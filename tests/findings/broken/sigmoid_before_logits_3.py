# sigmoid in forward, squeezed outside
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(x).sigmoid()  # finds


out = Net()(torch.randn(6, 3)).squeeze(1)
F.binary_cross_entropy_with_logits(out, torch.ones(6)).backward()
