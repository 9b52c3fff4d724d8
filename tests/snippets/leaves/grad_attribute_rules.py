# What may be assigned to .grad
import torch

w = torch.zeros(2, 2, requires_grad=True)
w.grad = torch.ones(2, 2)
print(w.grad)
for bad in (torch.ones(3), torch.ones(2, 2, dtype=torch.float64), 1.0, w):
    try:
        w.grad = bad
    except (RuntimeError, TypeError) as e:
        print(type(e).__name__, "-", e)
(w * 5).sum().backward()
print(w.grad)
del w.grad
print(w.grad)
