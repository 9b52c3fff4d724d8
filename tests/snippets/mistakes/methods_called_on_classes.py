# Methods of optimizers and layers that are called on the class, without the object
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x)


torch.manual_seed(0)
x = torch.ones(1, 2)
net = Net()
adam = torch.optim.Adam(net.parameters())
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
calls = [
    lambda: torch.optim.Adam.step(), lambda: torch.optim.SGD.step(), lambda: torch.optim.Adam.zero_grad(),
    lambda: nn.Linear.forward(x), lambda: nn.Linear.forward(), lambda: nn.Linear.forward(net.layer, x) is None,
    lambda: nn.ReLU.forward(x), lambda: nn.Sequential.forward(x), lambda: nn.Conv2d.forward(x),
    lambda: nn.LSTM.forward(x), lambda: nn.MultiheadAttention.forward(x), lambda: nn.MSELoss.forward(x, x),
    lambda: nn.Sequential.append(x), lambda: nn.ModuleList.append(x), lambda: nn.MaxPool2d.forward(x),
    lambda: nn.BatchNorm1d.forward(x), lambda: Net.forward(x), lambda: Net.parameters(), lambda: Net.train(),
    lambda: Net.load_state_dict({}), lambda: Net.state_dict(), lambda: Net.zero_grad(), lambda: Net.eval(),
]
for call in calls:
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)
print(nn.Linear.forward is nn.Linear.forward, Net.train == nn.Module.train, nn.Linear.forward)
