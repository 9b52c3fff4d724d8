# Why is my grad None: the classic forum question in six variations
import torch
import warnings

torch.manual_seed(0)
a = torch.rand(3, requires_grad=True).double()
print(a.is_leaf, a.grad_fn.name(), a.dtype)
a.sum().backward()
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    print(a.grad)
    print(len(w), w[0].category.__name__, str(w[0].message)[:70])
b = torch.ones(3, requires_grad=True) * 2
b.requires_grad_(True)
b.retain_grad()
b.pow(2).sum().backward()
print(b.grad, b.is_leaf, b.retains_grad)
c = torch.ones(3).requires_grad_()
print(c.is_leaf)
d = torch.nn.Parameter(torch.ones(2)).to(torch.float64)
print(type(d).__name__, d.is_leaf, d.requires_grad)
e = torch.tensor([1.0, 2.0], requires_grad=True)
f = torch.tensor(e)
print(f.requires_grad, f.grad_fn)
g = torch.tensor([e[0], e[1] * 2])
print(g, g.requires_grad)
h = torch.stack([e[0], e[1] * 2])
h.sum().backward()
print(h.grad_fn, e.grad)
x = torch.zeros(1, requires_grad=True)
y = x + 1
x = y * 2
x.backward()
print(x.grad_fn, x.is_leaf)
w_ = torch.randn(2, 2).mul_(0.1).requires_grad_(True)
print(w_.is_leaf)
z = torch.ones(2, requires_grad=True)
z = z - 0.1 * torch.ones(2)
try:
    z.sum().backward(); z.sum().backward()
    print("twice is fine", z.is_leaf)
except RuntimeError as err:
    print(err)
i = torch.ones(2, dtype=torch.int64)
try:
    i.requires_grad_(True)
except RuntimeError as err:
    print(err)
try:
    b.requires_grad = False
except RuntimeError as err:
    print(err)
n = torch.ones(2, requires_grad=True)
try:
    n.numpy()
except RuntimeError as err:
    print(err)
print(n.detach().numpy(), n.data, n.data.requires_grad)
