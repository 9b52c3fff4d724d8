# A hinge loss that comes down to 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(2, requires_grad=True)
X = torch.randn(20, 2)
X = X + X.sign() * 0.5
y = X[:, 0].sign()
opt = torch.optim.SGD([w], lr=0.5)
for _ in range(25):
    loss = torch.clamp(1 - y * (X @ w), min=0).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
