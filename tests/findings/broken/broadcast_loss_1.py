# A column of predictions against a row of targets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(16, 3)
y = x.sum(1)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    pred = net(x)
    loss = nn.MSELoss()(pred, y)  # finds pred
    opt.zero_grad()
    loss.backward()
    opt.step()
