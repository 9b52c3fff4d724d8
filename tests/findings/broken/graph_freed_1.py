# The generator's images are used by both losses
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

G, D = nn.Linear(2, 3), nn.Linear(3, 1)
bce = nn.BCEWithLogitsLoss()
opt_g = torch.optim.SGD(G.parameters(), lr=0.1)
opt_d = torch.optim.SGD(D.parameters(), lr=0.1)
for _ in range(3):
    fake = G(torch.randn(4, 2))
    loss_d = bce(D(torch.randn(4, 3)), torch.ones(4, 1)) + bce(D(fake), torch.zeros(4, 1))
    opt_d.zero_grad()
    loss_d.backward()  # finds fake
    opt_d.step()
    loss_g = bce(D(fake), torch.ones(4, 1))
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
