# A module without forward
import torch
import torch.nn as nn

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def foward(self, x):
        return self.fc(x)

net = Net()
print([n for n, _ in net.named_parameters()])
net(torch.ones(1, 2))
