# A regression that says how sure it is
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class Gauss(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.log_std = nn.Linear(2, 1), nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return torch.distributions.Normal(self.mean(x), self.log_std.exp())


def step(model, opt, x, y):
    opt.zero_grad()
    dist = model(x)
    loss = dist.log_prob(y).sum(-1).mean()  # finds y
    loss.backward()
    opt.step()
    return loss.item()


model = Gauss()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
x, y = torch.randn(10, 2), torch.randn(10, 1)
for _ in range(3):
    step(model, opt, x, y)
