# The model is made in the loop
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

x, y = torch.randn(16, 3), torch.randn(16, 1)
for epoch in range(4):
    net = nn.Linear(3, 1)  # finds net.weight
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    opt.zero_grad()
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    print(epoch, loss.item())
