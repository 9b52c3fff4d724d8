# id, is, data_ptr and storage of tensors and their relatives
import torch

x = torch.arange(4.0, requires_grad=True)
y = x.view(2, 2)
print(y._base is x, y.data_ptr() == x.data_ptr(), y is x, y.storage_offset(), x[2:].storage_offset())
z = x.detach()
print(z is x, z._base, z.data_ptr() == x.data_ptr(), z.requires_grad)
c = x.clone().detach()
print(c.data_ptr() == x.data_ptr(), torch.equal(c, x))
p = torch.nn.Parameter(torch.ones(2))
print(p, isinstance(p, torch.Tensor), p.is_leaf, type(p).__name__, type(p.data).__name__, p.data.requires_grad)
q = p + 1
print(type(q).__name__, q.is_leaf)
