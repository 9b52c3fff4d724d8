# mat1 and mat2 shapes cannot be multiplied
import torch
import torch.nn as nn

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(10, 5)
        self.fc2 = nn.Linear(4, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        return self.fc2(x)

net = Net()
print(net)
x = torch.zeros(3, 10)
out = net(x)
