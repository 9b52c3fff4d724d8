# A latent that is sampled
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

encoder, decoder = nn.Linear(4, 2), nn.Linear(1, 4)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
x = torch.randn(8, 4)
for _ in range(3):
    mean, log_scale = encoder(x).chunk(2, dim=1)
    z = torch.distributions.Normal(mean, log_scale.exp()).sample()  # finds z
    loss = F.mse_loss(decoder(z), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
