# F.softmax in forward
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        x = self.fc(x)
        return F.softmax(x, dim=1)  # finds out


net = Net()
out = net(torch.randn(6, 4))
loss = F.cross_entropy(out, torch.randint(0, 3, (6,)))
loss.backward()
