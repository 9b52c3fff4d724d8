# The same in a function
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

def train_step(model, optimizer, x, y):
    pred = model(x)
    loss = F.mse_loss(pred, y)
    loss.backward()
    optimizer.zero_grad()  # finds net.0.weight
    optimizer.step()
    return loss.item()


history = [train_step(net, opt, x, y) for _ in range(3)]
