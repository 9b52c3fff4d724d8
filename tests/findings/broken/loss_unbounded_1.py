# The divergence of a variational encoder with the wrong sign
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
mu = torch.randn(8, 2, requires_grad=True)
logvar = torch.randn(8, 2, requires_grad=True)
opt = torch.optim.SGD([mu, logvar], lr=0.1)
for _ in range(6):
    opt.zero_grad()
    kl = 0.5 * (1 + logvar - mu**2 - logvar.exp()).sum()
    kl.backward()  # finds kl
    opt.step()
