# F.dropout drops in evaluation, too
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 8), nn.Linear(8, 1)

    def forward(self, x):
        h = torch.relu(self.a(x))
        return self.b(F.dropout(h, 0.5))  # finds


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    net.train()
    opt.zero_grad()
    F.mse_loss(net(torch.randn(6, 3)), torch.zeros(6, 1)).backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        print(F.mse_loss(net(torch.randn(6, 3)), torch.zeros(6, 1)))
