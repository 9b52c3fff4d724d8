# Dropout stays on for an estimate by many draws
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y = torch.randn(20, 3), torch.randn(20, 1)
for _ in range(8):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
preds = []
with torch.no_grad():
    for _ in range(20):
        preds.append(net(x))
print(torch.stack(preds).std(0).mean())
