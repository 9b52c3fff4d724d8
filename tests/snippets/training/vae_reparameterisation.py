# VAE: reparameterisation keeps the gradient, sampling does not
import torch
import torch.nn as nn
import torch.nn.functional as F

class VAE(nn.Module):
    def __init__(self, d=5, h=4, z=2):
        super().__init__()
        self.enc = nn.Linear(d, h)
        self.mu, self.logvar = nn.Linear(h, z), nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d), nn.Sigmoid())

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h = torch.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        return self.dec(self.reparameterize(mu, logvar)), mu, logvar

torch.manual_seed(1)
vae = VAE()
x = torch.bernoulli(torch.full((3, 5), 0.5))
recon, mu, logvar = vae(x)
bce = F.binary_cross_entropy(recon, x, reduction="sum")
kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
(bce + kld).backward()
print(f"BCE {bce.item():.4f} KLD {kld.item():.4f}")
for name, p in vae.named_parameters():
    print(f"{name:14} {p.grad.norm().item():.5f}")
