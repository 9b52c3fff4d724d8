# Two batch norms, of a part that no gradient changes
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
encoder = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 4), nn.BatchNorm1d(4))
encoder.requires_grad_(False)
adapter = nn.Linear(4, 2)
opt = torch.optim.SGD(adapter.parameters(), lr=0.1)
for _ in range(3):
    x, y = torch.randn(16, 3), torch.randint(0, 2, (16,))
    features = encoder(x)  # finds encoder.1.running_mean
    loss = F.cross_entropy(adapter(features), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
