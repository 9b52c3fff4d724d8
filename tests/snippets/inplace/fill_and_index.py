# index_fill, index_add, scatter and their in-place twins
import torch

src = torch.tensor([[1., 2.], [3., 4.], [5., 6.]], requires_grad=True)
idx = torch.tensor([0, 2, 0])
out = torch.zeros(3, 2).index_add(0, idx, src)
print(out)
(out * torch.tensor([[1.], [10.], [100.]])).sum().backward()
print(src.grad)
z = torch.zeros(2, 3)
z.scatter_(1, torch.tensor([[1], [2]]), 1.0)
print(z)
b = torch.ones(3)
b.index_fill_(0, torch.tensor([1]), -1)
print(b, b._version)
