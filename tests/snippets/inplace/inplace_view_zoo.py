# Views, in-place writes and version counters
import torch

a = torch.arange(6., requires_grad=True)
b = a * 1
v = b.view(2, 3)
row = v[0]
print(v._is_view(), row._base is b, v._base is b, b._version, row._version)
row.mul_(2)
print(b._version, v._version, v.grad_fn, row.grad_fn, b.grad_fn)
b.t_() if b.dim() == 2 else None
v[:, 1] = 0
print(v, v.grad_fn, b.grad_fn.next_functions)
b.sum().backward()
print(a.grad)

x = torch.ones(2, 2, requires_grad=True)
y = x.clone()
y.diagonal().fill_(7)
y[0, 1] += x[1, 0] * 3
y.transpose(0, 1)[0] *= 2
print(y)
y.pow(2).sum().backward()
print(x.grad)

c = torch.zeros(3)
w = torch.tensor(2.0, requires_grad=True)
print(c.requires_grad, c.is_leaf)
c[1] = w
print(c.requires_grad, c.is_leaf, c.grad_fn)
c[2] = c[1] * w
c.sum().backward()
print(w.grad)

try:
    with torch.no_grad():
        vv = x.view(4)
    vv.mul_(2)
    print("ok", vv.requires_grad, vv.is_leaf)
except RuntimeError as e:
    print(e)
u = (x * 2).unbind(0)
try:
    u[0].add_(1)
except RuntimeError as e:
    print(e)
s = torch.ones(3, requires_grad=True)
e1 = s.exp()
e1.add_(1)
try:
    e1.sum().backward()
except RuntimeError as e:
    print(str(e)[:60])
d = e1.detach()
d.zero_()
print(e1._version, d._version)
