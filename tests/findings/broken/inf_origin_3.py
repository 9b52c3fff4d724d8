# A division by a count that is 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Mean(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 1)

    def forward(self, x, mask):
        return (self.lin(x).squeeze(1) + 1).sum() / mask.sum()  # finds loss


loss = Mean()(torch.ones(3, 2), torch.zeros(3))
loss.backward()
