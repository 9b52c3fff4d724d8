# The wrong variable goes into the loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
a = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(5.0, requires_grad=True)
y = a * a
z = y * c  # finds c
y.backward()
print(a.grad, c.grad)
