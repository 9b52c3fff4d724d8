# The discriminator has two passes, and is cleared after its step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G, D = nn.Linear(2, 4), nn.Sequential(nn.Linear(4, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))
opt_d, opt_g = torch.optim.SGD(D.parameters(), lr=0.1), torch.optim.SGD(G.parameters(), lr=0.1)
data = torch.randn(8, 4)
for _ in range(4):
    F.softplus(-D(data)).mean().backward()  # finds D.0.weight
    F.softplus(D(G(torch.randn(8, 2)).detach())).mean().backward()
    opt_d.step()
    opt_d.zero_grad()
    G.zero_grad()
    F.softplus(-D(G(torch.randn(8, 2)))).mean().backward()
    opt_g.step()
