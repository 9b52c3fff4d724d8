# A rate of Adam that is lost in rounding
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-10)  # finds net.0.weight
for _ in range(4):
    loss = F.cross_entropy(net(torch.randn(6, 3)), torch.randint(0, 2, (6,)))
    opt.zero_grad(); loss.backward(); opt.step()
