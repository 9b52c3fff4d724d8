# Validation over batches, by a function that forgets eval()
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 10); self.bn = nn.BatchNorm1d(10); self.out = nn.Linear(10, 1)
    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x))))
@torch.no_grad()
def evaluate(net, loader):
    total = 0.0
    for x, y in loader:
        total += F.mse_loss(net(x), y).item()  # finds
    return total / len(loader)
net = Net(); opt = torch.optim.Adam(net.parameters())
train_set = [(torch.randn(6, 5), torch.randn(6, 1)) for _ in range(3)]
val_set = [(torch.randn(6, 5), torch.randn(6, 1)) for _ in range(2)]
for e in range(2):
    net.train()
    for x, y in train_set:
        opt.zero_grad()
        F.mse_loss(net(x), y).backward()
        opt.step()
    print(evaluate(net, val_set))
