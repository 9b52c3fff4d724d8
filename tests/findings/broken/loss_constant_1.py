# The optimizer has other parameters
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net, other = nn.Linear(3, 1), nn.Linear(3, 1)
opt = torch.optim.SGD(other.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for _ in range(12):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()  # finds loss
    opt.step()
