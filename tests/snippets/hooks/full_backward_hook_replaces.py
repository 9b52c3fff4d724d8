# A full backward hook that returns its own grad_input, and one that returns junk
import torch
from torch import nn

torch.manual_seed(3)
lin = nn.Linear(2, 2)
h = lin.register_full_backward_hook(lambda m, gi, go: (gi[0] * 100,))
x = torch.ones(1, 2, requires_grad=True)
lin(x).sum().backward()
print(x.grad, lin.weight.grad)
h.remove()
h = lin.register_full_backward_hook(lambda m, gi, go: (gi[0], gi[0]))
try:
    lin(x).sum().backward()
except RuntimeError as e:
    print(e)
h.remove()
h = lin.register_full_backward_pre_hook(lambda m, go: go[0] * 0)
x.grad = None
lin(x).sum().backward()
print(x.grad)
h.remove()
lin.register_backward_hook(lambda m, gi, go: None)
try:
    lin.register_full_backward_hook(lambda m, gi, go: None)
except RuntimeError as e:
    print(e)
lin(x).sum().backward()
