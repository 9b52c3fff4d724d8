# A softmax of one output
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 1), nn.Softmax(dim=1))
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(8, 3), torch.randint(0, 2, (8, 1)).float()
for _ in range(3):
    opt.zero_grad()
    loss = F.binary_cross_entropy(net(x), y)  # finds
    loss.backward()
    opt.step()
