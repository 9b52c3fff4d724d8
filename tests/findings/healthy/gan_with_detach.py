# A GAN: the discriminator does not train the generator
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
D = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
og = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
od = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
for i in range(6):
    real = torch.randn(16, 2) + 2
    z = torch.randn(16, 4)
    fake = G(z)
    od.zero_grad()
    (bce(D(real), torch.ones(16, 1)) + bce(D(fake.detach()), torch.zeros(16, 1))).backward()
    od.step()
    og.zero_grad()
    bce(D(fake), torch.ones(16, 1)).backward()
    og.step()
