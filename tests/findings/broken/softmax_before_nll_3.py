# The same in a class
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.softmax(dim=1)  # finds scores


scores = Classifier()(torch.randn(6, 4))
F.nll_loss(scores, torch.randint(0, 3, (6,))).backward()
