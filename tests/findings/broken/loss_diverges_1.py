# A learning rate that is too large
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(16, 4)
y = x.sum(1, keepdim=True)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=3.0)
for epoch in range(8):
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()  # finds loss
    opt.step()
