# Views made in no_grad, written outside
import torch

x = torch.ones(4, requires_grad=True)
y = x * 1
with torch.no_grad():
    v = y[:2]
print(v.requires_grad, v.grad_fn)
try:
    v.mul_(2)
    print(y, y.grad_fn)
    y.sum().backward()
    print(x.grad)
except RuntimeError as e:
    print(e)
leaf = torch.zeros(3, requires_grad=True)
with torch.no_grad():
    lv = leaf[:1]
    lv.add_(1)
    leaf[1] = 7
    leaf.clamp_(max=5)
print(leaf, leaf._version)
try:
    lv.add_(1)
    print(leaf)
except RuntimeError as e:
    print(e)
b = torch.zeros(3)
vb = b[1:]
vb.requires_grad_()
try:
    b.add_(1)
    print(b, vb, vb._version)
except RuntimeError as e:
    print(e)
del v, lv, vb
c = torch.zeros(2)
c[0] = leaf[1]
print(c, c.requires_grad, c.grad_fn, c.is_leaf)
