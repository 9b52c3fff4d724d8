# torch.tensor of a list of leaves
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
v = torch.tensor([a, b, 3.0])  # finds a
w = torch.ones(3, requires_grad=True)
loss = (v * w).sum()
loss.backward()
print(a.grad, b.grad, w.grad)
