# A margin that is subtracted squared
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
near, far = torch.randn(6, 3, requires_grad=True), torch.randn(6, 3)
opt = torch.optim.SGD([near], lr=5.0)
for _ in range(10):
    loss = -(near - far).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # finds loss
    opt.step()
