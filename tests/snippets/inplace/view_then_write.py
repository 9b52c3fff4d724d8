# A write through a view changes the base's history and the view's
import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = x * 1
v = y[1:3]
print(v.grad_fn.name(), y.grad_fn.name())
v.mul_(10)
print(v.grad_fn.name(), y.grad_fn.name())
print(y)
y.sum().backward()
print(x.grad)
