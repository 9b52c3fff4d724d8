# Maxout, residual and gating blocks
import torch
import torch.nn as nn
import torch.nn.functional as F

class Maxout(nn.Module):
    def __init__(self, i, o, pieces):
        super().__init__()
        self.pieces = pieces
        self.lin = nn.Linear(i, o * pieces)

    def forward(self, x):
        y = self.lin(x)
        return y.view(*y.shape[:-1], -1, self.pieces).max(dim=-1).values

class GLUBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a, self.b = nn.Linear(d, d), nn.Linear(d, d)
        self.norm = nn.LayerNorm(d, elementwise_affine=False)

    def forward(self, x):
        return x + self.norm(self.a(x) * torch.sigmoid(self.b(x)))

torch.manual_seed(0)
net = nn.Sequential(Maxout(3, 4, 2), GLUBlock(4), nn.Linear(4, 2), nn.LogSoftmax(dim=-1))
x = torch.randn(5, 3)
loss = F.nll_loss(net(x), torch.tensor([0, 1, 0, 1, 1]))
loss.backward()
print(net, loss)
print({n: tuple(p.grad.shape) for n, p in net.named_parameters()})
print(net[1].a.weight.grad.round(decimals=4))
