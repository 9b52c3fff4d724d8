# A small loss of a model in autocast, without a scaler
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for step in range(3):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        out = net(x)
    loss = F.mse_loss(out.float(), y) * 1e-7  # finds loss
    loss.backward()
    opt.step()
