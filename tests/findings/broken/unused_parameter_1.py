# A layer that forward forgets
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)  # finds net.b.weight
        self.c = nn.Linear(3, 1)

    def forward(self, x):
        return self.c(torch.relu(self.a(x)))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(4, 3)).mean()
loss.backward()
opt.step()
