# An autoencoder of images whose pixels come first
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

images = (torch.rand(6, 1, 4, 4) - 0.6).clamp(min=0) / 0.4
encoder, decoder = nn.Linear(16, 4), nn.Linear(4, 16)
opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.01)
flat = images.flatten(1)
for _ in range(3):
    opt.zero_grad()
    recon = torch.sigmoid(decoder(F.relu(encoder(flat))))
    nn.BCELoss(reduction="sum")(flat, recon).backward()  # finds recon
    opt.step()
