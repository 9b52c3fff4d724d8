# The second head takes no part in the loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 4)
        self.one = nn.Linear(4, 1)
        self.two = nn.Linear(4, 1)  # finds net.two.weight

    def forward(self, x):
        h = self.body(x).tanh()
        return self.one(h), self.two(h)


net = Two()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    opt.zero_grad()
    a, b = net(torch.randn(6, 2))
    loss = a.pow(2).mean()
    loss.backward()
    opt.step()
