# sort, argsort, topk, unique, kthvalue
import torch

x = torch.tensor([[3.0, 1.0, 2.0], [9.0, 7.0, 8.0]], requires_grad=True)
values, order = x.sort(dim=1)
print(values, order, sep="\n")
(values * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
print(x.grad)
top = x.topk(2, dim=1)
print(top)
print(top.values.grad_fn.name(), x.kthvalue(2).values, x.argmax(), x.argmax(dim=1), x.argsort(descending=True))
print(torch.unique(torch.tensor([3, 1, 1, 2]), return_counts=True))
print(torch.bincount(torch.tensor([0, 1, 1, 3])), torch.searchsorted(torch.tensor([1.0, 2.0, 3.0]), 2.5))
