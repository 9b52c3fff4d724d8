# A twin critic whose target takes the smaller one, and half of it is detached
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class Twin(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 1), nn.Linear(3, 1)

    def forward(self, x):
        return self.one(x), self.two(x)


twin = Twin()
opt = torch.optim.Adam(twin.parameters(), lr=1e-3)
for _ in range(3):
    x, x2, r, d = torch.randn(8, 3), torch.randn(8, 3), torch.randn(8, 1), (torch.rand(8, 1) < 0.2).float()
    a, b = twin(x2)
    y = r + 0.98 * (1 - d) * torch.min(a, b)
    q1, q2 = twin(x)
    loss = F.mse_loss(q1, y) + F.mse_loss(q2, y.detach())  # finds y
    opt.zero_grad()
    loss.backward()
    opt.step()
