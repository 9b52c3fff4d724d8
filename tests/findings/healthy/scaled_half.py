# Steps that overflow in float16 are skipped by a GradScaler, by design, until its scale fits.
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)
x, y = torch.randn(16, 4), torch.randn(16, 1)
for step in range(6):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x * 4), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
