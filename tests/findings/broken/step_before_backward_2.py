# zero_grad, step, backward
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

for epoch in range(3):
    opt.zero_grad()
    pred = net(x)
    loss = F.mse_loss(pred, y)
    opt.step()  # finds net.0.weight
    loss.backward()
