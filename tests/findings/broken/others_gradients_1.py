# Both optimizers are cleared at the beginning of an iteration
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G, D = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3)), nn.Linear(3, 1)
opt_g, opt_d = torch.optim.Adam(G.parameters(), lr=0.01), torch.optim.Adam(D.parameters(), lr=0.01)
bce = nn.BCEWithLogitsLoss()
real, ones, zeros = torch.randn(16, 3), torch.ones(16, 1), torch.zeros(16, 1)

for step in range(3):
    opt_g.zero_grad()
    opt_d.zero_grad()
    fake = G(torch.randn(16, 2))
    g_loss = bce(D(fake), ones)
    g_loss.backward()
    opt_g.step()
    d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
    d_loss.backward()  # finds D.weight
    opt_d.step()
