# Each batch trains a model of its own
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)



class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def train(x, y):
    model = Net()
    optimizer = torch.optim.Adam(model.parameters())  # finds model.hidden.weight
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()


x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
for batch, (bx, by) in enumerate(zip(x.split(4), y.split(4))):
    print(batch, train(bx, by))
