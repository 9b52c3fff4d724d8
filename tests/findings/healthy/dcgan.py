# A generator in training mode makes samples to look at, in the loop of its training
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
G = nn.Sequential(
    nn.ConvTranspose2d(4, 4, 4), nn.BatchNorm2d(4), nn.ReLU(True), nn.ConvTranspose2d(4, 1, 3, 2, 1), nn.Tanh()
)
D = nn.Sequential(nn.Conv2d(1, 4, 3, 2), nn.LeakyReLU(0.2, inplace=True), nn.Flatten(), nn.Linear(36, 1), nn.Sigmoid())
criterion = nn.BCELoss()
fixed_noise = torch.randn(4, 4, 1, 1)
optD = torch.optim.Adam(D.parameters(), lr=2e-4)
optG = torch.optim.Adam(G.parameters(), lr=2e-4)
imgs = []
for i in range(4):
    D.zero_grad()
    real = torch.rand(4, 1, 7, 7)
    label = torch.full((4,), 1.0)
    errD_real = criterion(D(real).view(-1), label)
    errD_real.backward()
    D_x = D(real).mean().item()
    fake = G(torch.randn(4, 4, 1, 1))
    label.fill_(0.0)
    out = D(fake.detach()).view(-1)
    errD_fake = criterion(out, label)
    errD_fake.backward()
    optD.step()
    G.zero_grad()
    label.fill_(1.0)
    errG = criterion(D(fake).view(-1), label)
    errG.backward()
    optG.step()
    if i == 3:
        with torch.no_grad():
            imgs.append(G(fixed_noise).detach().cpu())
