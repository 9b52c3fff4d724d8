# NLLLoss after a softmax layer
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=-1))
criterion = nn.NLLLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    out = net(torch.randn(6, 4))  # finds out
    loss = criterion(out, torch.randint(0, 3, (6,)))
    loss.backward()
    opt.step()
