# A copy inside a module
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 1)

    def forward(self, x):
        h = torch.tensor(self.a(x))  # finds net.a.weight
        return self.b(h)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(4, 3)).mean()
loss.backward()
opt.step()
