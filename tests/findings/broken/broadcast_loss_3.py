# Squeezed predictions against a column of targets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
data = {"x": torch.randn(12, 4), "y": torch.randn(12, 1)}
model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 1))
out = model(data["x"]).squeeze()
loss = F.l1_loss(out, data["y"])  # finds out
loss.backward()
