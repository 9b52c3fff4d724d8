# kthvalue and median: which of equal elements
import torch
g = torch.Generator().manual_seed(0)
for n in (2, 3, 4, 5, 7, 8, 12, 16):
    x = torch.randint(0, 4, (6, n), generator=g).float()
    ks = [1, (n + 1) // 2, n]
    print(n, [torch.kthvalue(x, k).indices.tolist() for k in ks], x.median(1).indices.tolist(), x.mode(1).indices.tolist())
x = torch.tensor([1., float("nan"), 1., 2., float("nan"), 1.])
print([x.kthvalue(k) for k in (1, 2, 3, 5, 6)])
print(x.median(0), x.nanmedian(0))
print(torch.tensor([3, 1, 1, 2]).kthvalue(2))
w = torch.tensor([[2., 1., 1.], [3., 3., 3.]], requires_grad=True)
v, i = w.kthvalue(2, dim=0, keepdim=True)
print(v, i)
v.sum().backward()
print(w.grad)
