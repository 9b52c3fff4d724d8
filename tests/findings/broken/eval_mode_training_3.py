# A model with dropout alone
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 6)
        self.drop = nn.Dropout(0.5)
        self.b = nn.Linear(6, 1)

    def forward(self, x):
        return self.b(self.drop(torch.tanh(self.a(x))))


net = Net()
net.eval()  # finds
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    opt.zero_grad()
    net(torch.randn(4, 3)).pow(2).mean().backward()
    opt.step()
