# A batch whose gradient is not finite is left out.
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
for step in range(6):
    x = torch.randn(8, 3) * (1e30 if step == 2 else 1)
    opt.zero_grad()
    net(x).pow(2).mean().backward()
    norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    if torch.isfinite(norm):
        opt.step()
