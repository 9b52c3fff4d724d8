# Only the decoder is trained
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
optimizer = torch.optim.Adam(decoder.parameters(), lr=1e-2)  # finds encoder.weight
x = torch.randn(16, 4)
for epoch in range(3):
    optimizer.zero_grad()
    loss = F.mse_loss(decoder(encoder(x)), x)
    loss.backward()
    optimizer.step()
