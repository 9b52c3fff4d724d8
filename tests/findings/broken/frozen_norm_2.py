# train() turns the frozen part on again in each epoch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.Flatten())
        self.classifier = nn.Linear(2 * 4 * 4, 3)

    def forward(self, x):
        return self.classifier(self.features(x))  # finds net.features.1.running_mean


net = Net()
net.features.requires_grad_(False)
net.features.eval()
opt = torch.optim.Adam(net.classifier.parameters(), lr=1e-3)
for epoch in range(3):
    net.train()
    x, y = torch.randn(4, 1, 6, 6), torch.randint(0, 3, (4,))
    opt.zero_grad()
    out = net(x)
    F.cross_entropy(out, y).backward()
    opt.step()
