# Tied weights
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(5, 3)
        self.out = nn.Linear(3, 5, bias=False)
        self.out.weight = self.emb.weight

    def forward(self, i):
        return self.out(self.emb(i))  # finds m.emb.weight


m = Tied()
m(torch.tensor([1, 2])).sum().backward()
