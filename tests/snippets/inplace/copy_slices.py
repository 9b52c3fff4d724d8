# Writing into a slice gives CopySlices
import torch

base = torch.zeros(3, 2)
w = torch.tensor([1.0, 2.0], requires_grad=True)
base[1] = w * 3
print(base)
print(base.grad_fn.name(), [f and f[0] and f[0].name() for f in base.grad_fn.next_functions])
base[2, 0] = w[1]
print(base.grad_fn.name(), base.requires_grad, base.is_leaf)
(base ** 2).sum().backward()
print(w.grad)
