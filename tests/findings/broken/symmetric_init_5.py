# Kernels that start equal
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
conv = nn.Conv2d(1, 4, 3)
nn.init.ones_(conv.weight); nn.init.zeros_(conv.bias)  # finds conv.weight
fc = nn.Linear(4 * 4, 2)
nn.init.zeros_(fc.weight)
opt = torch.optim.SGD([*conv.parameters(), *fc.parameters()], lr=0.01)
for i in range(3):
    x, y = torch.randn(6, 1, 6, 6), torch.randint(0, 2, (6,))
    h = F.max_pool2d(torch.tanh(conv(x)), 2).flatten(1)
    loss = F.cross_entropy(fc(h), y)
    opt.zero_grad(); loss.backward(); opt.step()
