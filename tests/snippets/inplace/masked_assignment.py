# Boolean masks on the left hand side
import torch

x = torch.tensor([-2.0, -0.5, 0.5, 2.0], requires_grad=True)
y = x * 2
y[y < 0] = 0.0
print(y)
y.sum().backward()
print(x.grad)
x.grad = None
y = x.clone()
mask = x.detach().abs() > 1
y[mask] = y[mask] ** 2
print(y)
y.backward(torch.ones(4))
print(x.grad)
z = x.masked_fill(mask, 7.0)
print(z, torch.where(mask, x, torch.zeros_like(x)))
