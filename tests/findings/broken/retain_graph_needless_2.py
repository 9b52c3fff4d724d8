# retain_graph for gradients that are asked for, one input after the other
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor(3.0, requires_grad=True)
for power in (2, 3, 4):
    y = x ** power
    torch.autograd.grad(y, x, retain_graph=True)  # finds y
