# Gradients of broadcast operands are summed back to their shape
import torch

a = torch.ones(3, 1, requires_grad=True)
b = torch.arange(4.0, requires_grad=True)
c = torch.tensor(2.0, requires_grad=True)
out = (a + b) * c
print(out.shape)
out.sum().backward()
for name, t in zip("abc", (a, b, c)):
    print(name, tuple(t.shape), t.grad, tuple(t.grad.shape))
d = torch.randn(2, 1, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
(d.expand(2, 3, 4) * torch.ones(3, 1)).sum().backward()
print(d.grad.unique())
