# In each iteration the hook comes after the pass
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randn(8, 1)
norms = []
for epoch in range(3):
    opt.zero_grad()
    out = net(x)
    loss = F.mse_loss(out, y)
    loss.backward()
    out.register_hook(lambda g: norms.append(g.norm().item()))  # finds
    opt.step()
print(norms)
