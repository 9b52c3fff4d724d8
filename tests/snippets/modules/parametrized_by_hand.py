# A weight that is computed from other parameters: weight normalisation by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

class WNLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        w = torch.randn(o, i)
        self.g = nn.Parameter(w.norm(dim=1, keepdim=True))
        self.v = nn.Parameter(w)

    @property
    def weight(self):
        return self.g * self.v / self.v.norm(dim=1, keepdim=True)

    def forward(self, x):
        return F.linear(x, self.weight)

torch.manual_seed(1)
layer = WNLinear(3, 2)
x = torch.randn(4, 3)
layer(x).pow(2).mean().backward()
print(layer.g.grad, layer.v.grad, sep="\n")
print("v.grad orthogonal to v:", torch.allclose((layer.v * layer.v.grad).sum(1), torch.zeros(2), atol=1e-6))
