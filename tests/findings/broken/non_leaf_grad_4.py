# The gradient of an attribute of a module is read
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 5)
        self.fc2 = nn.Linear(5, 1)
    def forward(self, x):
        self.h = torch.relu(self.fc1(x))
        return self.fc2(self.h)
net = Net()
out = net(torch.randn(4, 3)).sum()
out.backward()
print("hidden gradient", net.h.grad)  # finds
