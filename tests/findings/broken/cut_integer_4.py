# requires_grad_() on a loss of decisions
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randint(0, 2, (8, 1)).float()
for _ in range(2):
    opt.zero_grad()
    pred = (torch.sigmoid(net(x)) > 0.5).float()  # finds net.weight
    loss = F.mse_loss(pred, y).requires_grad_()
    loss.backward()
    opt.step()
