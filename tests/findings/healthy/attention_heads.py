# Heads are split from the last axis, then moved
import torch
import torch.nn as nn
import torch.nn.functional as F


class MHA(nn.Module):
    def __init__(self, d=8, h=2):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).split(D, dim=2)
        q, k, v = (t.view(B, T, self.h, D // self.h).transpose(1, 2) for t in (q, k, v))
        m = torch.tril(torch.ones(T, T))
        a = (q @ k.transpose(-2, -1) / 2).masked_fill(m == 0, float("-inf")).softmax(-1)
        return self.o((a @ v).transpose(1, 2).contiguous().view(B, T, D))


torch.manual_seed(0)
m = MHA()
opt = torch.optim.Adam(m.parameters(), lr=1e-3)
for _ in range(4):
    x = torch.randn(3, 5, 8)
    loss = F.mse_loss(m(x), x.flip(2))
    opt.zero_grad()
    loss.backward()
    opt.step()
