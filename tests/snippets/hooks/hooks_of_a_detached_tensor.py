# What detach_() leaves on a tensor: its hooks, which run again when it is a leaf, and that it retains its gradient.
import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = a.exp()
b.register_hook(lambda g: print("b", g))
b.retain_grad()
b.detach_()
print(len(b._backward_hooks), b.retains_grad, b.requires_grad, b.grad_fn, b.is_leaf)
b.requires_grad_()
(b * 2).sum().backward()
print(b.grad, a.grad)

c = a.exp()
handle = c.register_hook(lambda g: g * 10)
y = (c * 3).sum()
c.detach_().requires_grad_()
handle.remove()
(c * 2).sum().backward()
print(c.grad, len(c._backward_hooks), c.retains_grad)
y.backward()
print(a.grad)
