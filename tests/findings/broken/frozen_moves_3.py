# Gradients are never cleared, and a frozen encoder goes on in the old direction
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
encoder, head = nn.Linear(3, 4), nn.Linear(4, 1)
opt = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.05)
x, y = torch.randn(8, 3), torch.randn(8, 1)
for epoch in range(4):
    if epoch == 1:
        encoder.requires_grad_(False)  # finds encoder.weight
    head.zero_grad()
    loss = F.mse_loss(head(torch.tanh(encoder(x))), y)
    loss.backward()
    opt.step()
