# A function that evaluates
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)

for _ in range(2):
    opt.zero_grad()
    F.mse_loss(model(x), y).backward()
    opt.step()

@torch.no_grad()
def accuracy(inputs, targets):
    out = model(inputs)  # finds
    return (out - targets).abs().mean().item()


print(accuracy(x, y) > 0)
