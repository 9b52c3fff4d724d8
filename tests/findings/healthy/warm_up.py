# Steps of a warm-up begin very small
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
m = nn.Linear(3, 1)
opt = torch.optim.AdamW(m.parameters(), lr=1e-3)
sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, s / 4000))
for s in range(8):
    loss = m(torch.randn(6, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sch.step()
