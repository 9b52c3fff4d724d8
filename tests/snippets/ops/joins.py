# cat, stack, split, chunk, repeat, tile
import torch

a = torch.tensor([[1.0, 2.0]], requires_grad=True)
b = torch.tensor([[3.0, 4.0], [5.0, 6.0]], requires_grad=True)
c = torch.cat([a, b, a], dim=0)
print(c)
(c * torch.arange(4.0).unsqueeze(1)).sum().backward()
print(a.grad, b.grad)
s = torch.stack([a[0], b[0]], dim=1)
print(s, s.grad_fn.name())
print([tuple(t.shape) for t in torch.chunk(c, 3)], [tuple(t.shape) for t in c.split([1, 3])])
r = a.repeat(2, 2)
print(r.shape, r.grad_fn.name(), a.tile((1, 2)).shape, a.repeat_interleave(2, dim=1))
print(torch.hstack([a, a]).shape, torch.vstack([a, b]).shape)
