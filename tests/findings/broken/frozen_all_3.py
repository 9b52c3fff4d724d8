# A frozen model with an optimizer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1)).requires_grad_(False)
criterion = nn.MSELoss()
out = model(torch.randn(4, 2))
loss = criterion(out, torch.zeros(4, 1))
loss.backward()  # finds loss
