# A gradient penalty
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G, D = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
og, od = torch.optim.Adam(G.parameters(), lr=1e-3), torch.optim.Adam(D.parameters(), lr=1e-3)
for i in range(5):
    for _ in range(2):
        real = torch.randn(8, 2)
        fake = G(torch.randn(8, 3)).detach()
        eps = torch.rand(8, 1)
        mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
        (g,) = torch.autograd.grad(D(mid).sum(), mid, create_graph=True)
        gp = ((g.norm(2, dim=1) - 1) ** 2).mean()
        loss = D(fake).mean() - D(real).mean() + 10 * gp
        od.zero_grad()
        loss.backward()
        od.step()
    og.zero_grad()
    (-D(G(torch.randn(8, 3))).mean()).backward()
    og.step()
