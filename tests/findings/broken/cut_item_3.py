# float() of a tensor in a penalty
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.s = nn.Parameter(torch.tensor(0.337))
        self.w = nn.Parameter(torch.randn(3))

    def forward(self, x):
        scale = torch.tensor([float(self.s)])  # finds m.s
        return x * self.w * scale


m = Scale()
opt = torch.optim.SGD(m.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = m(torch.randn(3)).pow(2).sum()
    loss.backward()
    opt.step()
