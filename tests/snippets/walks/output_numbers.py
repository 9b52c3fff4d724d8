# Nodes with several outputs: output_nr and unbind, split, max
import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
a, b, c = x.unbind(dim=1)
print(a.grad_fn.name(), [t.output_nr for t in (a, b, c)])
print(a.grad_fn is c.grad_fn)
values, indices = x.max(dim=1)
print(values.grad_fn.name(), values.output_nr, indices.grad_fn, indices)
left, right = torch.split(x, [1, 2], dim=1)
print(right.shape, right.output_nr, right.grad_fn.name())
loss = (a * c).sum() + right.sum()
print([(f.name(), n) for f, n in loss.grad_fn.next_functions])
loss.backward()
print(x.grad)
