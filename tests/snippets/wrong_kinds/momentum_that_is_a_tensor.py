# A momentum that is a tensor
import torch, numpy as np, torch.nn as nn, torch.nn.functional as F
p = torch.ones(2, requires_grad=True)
o = torch.optim.SGD([p], lr=0.1, momentum=torch.tensor(0.5))
for _ in range(3): p.sum().backward(); o.step()
print(p)
