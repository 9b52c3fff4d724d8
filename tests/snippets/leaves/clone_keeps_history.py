# clone is differentiable, detach().clone() is a fresh start
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
a = x.clone()
b = x.detach().clone()
print(a.grad_fn, b.grad_fn)
a += 1
b += 10
print(x.tolist(), a.tolist(), b.tolist())
(a * b).sum().backward()
print(x.grad)
print(x._version, a._version, b._version)
