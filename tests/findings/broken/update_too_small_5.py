# A scheduler that takes the rate away
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
m = nn.Linear(4, 2)
opt = torch.optim.SGD(m.parameters(), lr=0.01)  # finds m.weight
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1e-7)
for e in range(4):
    loss = F.cross_entropy(m(torch.randn(9, 4)), torch.randint(0, 2, (9,)))
    opt.zero_grad(); loss.backward()
    opt.step()
    sched.step()
