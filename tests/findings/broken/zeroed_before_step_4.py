# A gradient is zeroed by hand before the step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.ones(3, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1, momentum=0.9)
for i in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    w.grad.zero_()  # finds w
    opt.step()
