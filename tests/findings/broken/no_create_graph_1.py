# The derivative of a derivative
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor(2.0, requires_grad=True)
y = x**3
(g,) = torch.autograd.grad(y, x)  # finds g
torch.autograd.grad(g, x)
