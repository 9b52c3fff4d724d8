# A while loop makes the network each time
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

x, y = torch.randn(8, 3), torch.randn(8, 1)
step = 0
while step < 4:
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))  # finds net.0.weight
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = F.mse_loss(net(x), y)
    loss.backward()
    opt.step()
    step += 1
