# nll_loss of the scores of a model without log_softmax
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(12, 4), torch.randint(0, 3, (12,))
for epoch in range(3):
    opt.zero_grad()
    out = net(x)
    loss = F.nll_loss(out, y)  # finds out
    loss.backward()
    opt.step()
