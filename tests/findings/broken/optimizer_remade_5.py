# Adam is made for each epoch, of three batches
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
x, y = torch.randn(12, 3), torch.randn(12, 1)
for epoch in range(3):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)  # finds net.0.weight
    for xb, yb in zip(x.split(4), y.split(4)):
        optimizer.zero_grad()
        loss = F.mse_loss(net(xb), yb)
        loss.backward()
        optimizer.step()
