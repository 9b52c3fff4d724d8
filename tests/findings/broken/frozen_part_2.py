# Adapters of low rank beside a frozen matrix
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class LoRA(nn.Module):
    def __init__(self, size, rank):
        super().__init__()
        self.base = nn.Linear(size, size)
        for p in self.base.parameters():
            p.requires_grad = False  # finds net.0.base.weight
        self.A = nn.Parameter(torch.randn(rank, size) * 0.1)
        self.B = nn.Parameter(torch.randn(size, rank) * 0.1)

    def forward(self, x):
        return self.base(x) + x @ self.A.T @ self.B.T


net = nn.Sequential(LoRA(4, 1), nn.Tanh(), LoRA(4, 1))
opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 4)
for _ in range(3):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
