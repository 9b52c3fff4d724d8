# The momentum of tensors of one's own is lost
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.tensor([3.0, -2.0], requires_grad=True)
steps = 0
while steps < 5:
    opt = torch.optim.SGD([w], lr=0.1, momentum=0.9)  # finds w
    (w**2).sum().backward()
    opt.step()
    w.grad = None
    steps += 1
