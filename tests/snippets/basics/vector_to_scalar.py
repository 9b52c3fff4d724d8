# From a vector to a scalar through mean
import torch

x = torch.arange(4.0, requires_grad=True)
print(x)
y = 2 * torch.dot(x, x)
print(y)
y.backward()
print(x.grad)
print(x.grad == 4 * x)
x.grad.zero_()
y = x.sum()
y.backward()
print(x.grad)
x.grad.zero_()
y = x * x
y.sum().backward()
print(x.grad)
x.grad.zero_()
u = y.detach() if not y.requires_grad else (x * x).detach()
z = u * x
z.sum().backward()
print(x.grad == u, u.requires_grad)
