# A discriminator's sigmoid, seen through a view
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(1, 2, 3, stride=2)
        self.f = nn.Linear(2 * 3 * 3, 1)
    def forward(self, x):
        x = F.leaky_relu(self.c(x), 0.2)
        return torch.sigmoid(self.f(x.flatten(1))).view(-1)  # finds out
d = D()
opt = torch.optim.Adam(d.parameters(), lr=2e-4, betas=(0.5, 0.999))
criterion = nn.BCEWithLogitsLoss()
real = torch.randn(4, 1, 8, 8)
for _ in range(2):
    d.zero_grad()
    out = d(real)
    err = criterion(out, torch.full((4,), 1.0))
    err.backward()
    opt.step()
