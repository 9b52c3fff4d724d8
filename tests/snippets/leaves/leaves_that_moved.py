# Leaves written to with what requires grad, tensors saved "on the CPU" and written to, and points that products share
import torch
from torch.autograd import functional

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.ones(2, requires_grad=True)
loss = (w * x).sum()
w.requires_grad_(False)
w.copy_(x * 2)
try:
    loss.backward()
except RuntimeError as e:
    print(e)
v = torch.ones(2, requires_grad=True)
loss = (v * 2).sum()
v.requires_grad_(False)
v.copy_(x * 2)
try:
    loss.backward()
except RuntimeError as e:
    print(e)
print(v.grad_fn)
x.grad = None

with torch.autograd.graph.save_on_cpu():
    y = x * 1
    z = y.sin() * y
    e = x.exp()
    print(e.grad_fn._saved_result.grad_fn)
y.add_(1)
e.mul_(2)
z.sum().backward()
print(x.grad)
e.sum().backward()
print(x.grad)

a = torch.tensor([1.0, 2.0])
out, product = functional.vjp(lambda t: t**3, a, torch.ones(2), create_graph=True)
print(out, product)
a.add_(1)
try:
    product.sum().backward()
except RuntimeError as e:
    print(e)
out, product = functional.vjp(lambda t: t**2, x, x * 1, create_graph=True)
print(product.grad_fn, [n for n, _ in product.grad_fn.next_functions])
