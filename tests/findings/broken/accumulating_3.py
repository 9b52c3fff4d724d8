# zero_grad stands before the loop
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

def train(model, optimizer, batches):
    optimizer.zero_grad()
    for xb, yb in batches:
        pred = model(xb)
        loss = nn.MSELoss()(pred, yb)
        loss.backward()  # finds net.0.weight
        optimizer.step()


train(net, opt, [(x[:8], y[:8]), (x[8:], y[8:]), (x[:8], y[:8])])
