# Layers in a plain list are no modules
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Linear(4, 4) for _ in range(2)]
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)  # finds
for _ in range(2):
    opt.zero_grad()
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.step()
