# Two steps of a GAN: who gets which gradients
import torch
import torch.nn as nn

torch.manual_seed(0)
G = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1))
D = nn.Sequential(nn.Linear(1, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1), nn.Sigmoid())
opt_g = torch.optim.Adam(G.parameters(), lr=1e-2, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-2, betas=(0.5, 0.999))
bce = nn.BCELoss()
norm = lambda m: sum(p.grad.norm().item() for p in m.parameters() if p.grad is not None)
for step in range(2):
    real = 3 + torch.randn(6, 1)
    fake = G(torch.randn(6, 2))
    opt_d.zero_grad()
    loss_d = bce(D(real), torch.ones(6, 1)) + bce(D(fake.detach()), torch.zeros(6, 1))
    loss_d.backward()
    opt_d.step()
    print(f"step {step} D: {loss_d.item():.4f}  |D| {norm(D):.4f} |G| {norm(G):.4f}")
    opt_g.zero_grad()
    loss_g = bce(D(fake), torch.ones(6, 1))
    loss_g.backward()
    opt_g.step()
    print(f"step {step} G: {loss_g.item():.4f}  |G| {norm(G):.4f}")
