# The first gradient has no graph
import torch

x = torch.tensor(2.0, requires_grad=True)
y = x ** 3
dy = torch.autograd.grad(y, x)[0]
print(dy)
d2y = torch.autograd.grad(dy, x)[0]
