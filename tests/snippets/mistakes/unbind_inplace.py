# In-place on one output of unbind
import torch

x = torch.ones(2, 3, requires_grad=True) * 1
first, second = x.unbind(0)
print(first.grad_fn.name())
first += 1
