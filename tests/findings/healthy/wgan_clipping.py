# Weights are clamped after a step, and the generator's pass adds to the critic's gradients
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G, D = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 1))
og, od = torch.optim.RMSprop(G.parameters(), lr=5e-5), torch.optim.RMSprop(D.parameters(), lr=5e-5)
for i in range(4):
    for p in D.parameters():
        p.data.clamp_(-0.01, 0.01)
    od.zero_grad()
    (D(G(torch.randn(8, 3)).detach()).mean() - D(torch.randn(8, 2)).mean()).backward()
    od.step()
    og.zero_grad()
    (-D(G(torch.randn(8, 3))).mean()).backward()
    og.step()
