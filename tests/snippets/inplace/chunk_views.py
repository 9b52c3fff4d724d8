# In-place on chunks, and on the tensor they come from
import torch

x = torch.arange(6.0, requires_grad=True)
y = x * 2
a, b = y.chunk(2)
try:
    a.mul_(3)
except RuntimeError as e:
    print(str(e).split(".")[0])
y = x * 2
c = y[:3]
d = y[3:]
c += 1
print(c.grad_fn.name(), d.grad_fn.name(), y._version)
(c * d).sum().backward()
print(x.grad)
