# log_softmax along the samples
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Linear(3, 4)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(8, 3), torch.randint(0, 4, (8,))
for _ in range(3):
    opt.zero_grad()
    log_p = F.log_softmax(net(x), dim=0)  # finds log_p
    loss = F.nll_loss(log_p, y)
    loss.backward()
    opt.step()
