# torch.tensor of the outputs of several heads
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(4, 1) for _ in range(3)])
        self.mix = nn.Linear(3, 1)
    def forward(self, x):
        outs = [h(x) for h in self.heads]
        merged = torch.tensor([o.sum() for o in outs])  # finds net.heads.0.weight
        return self.mix(merged)
net = Multi()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for i in range(3):
    x = torch.randn(4)
    loss = (net(x) - 1.0).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
