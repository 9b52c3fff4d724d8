# A function puts the model it is given in evaluation mode after each epoch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(4, 1)
    def forward(self, x):
        return self.out(self.drop(torch.relu(self.fc(x))))
def evaluate(m, x, y):
    m.eval()  # finds
    with torch.no_grad():
        return F.mse_loss(m(x), y).item()
net = Net()
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(8, 4), torch.randn(8, 1)
net.train()
for _ in range(3):
    opt.zero_grad()
    F.mse_loss(net(x), y).backward()
    opt.step()
    print(evaluate(net, x, y))
