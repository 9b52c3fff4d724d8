# detach, clone, stop-gradient tricks, partial freezing of a tensor, custom gradient by hooks and where
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)

def grad_of(f):
    x.grad = None
    f().backward()
    return None if x.grad is None else x.grad.tolist()

print(grad_of(lambda: (x * x.detach()).sum()))
print(grad_of(lambda: (x ** 2 + (x ** 3).detach()).sum()))
print(grad_of(lambda: (x.clone() ** 2).sum()))
mask = torch.tensor([1.0, 0.0, 1.0])
print(grad_of(lambda: ((x * mask + x.detach() * (1 - mask)) ** 2).sum()))
print(grad_of(lambda: (x.detach() + 2 * (x - x.detach())).sum()))
print(grad_of(lambda: (x / x.detach().norm()).sum()))
print(grad_of(lambda: torch.where(x > 1.5, x ** 2, x.detach()).sum()))
h = x.register_hook(lambda g: g * mask)
print(grad_of(lambda: (x ** 2).sum()))
h.remove()
h = x.register_hook(lambda g: g.clamp(-1, 1) if g.norm() > 1 else None)
print(grad_of(lambda: (x ** 2).sum()))
h.remove()
def negate(g):
    return -g
y = x * 1
y.register_hook(negate)
y.register_hook(lambda g: print("second sees", g))
print(grad_of(lambda: y.sum()))
d = x.detach()
print(d.is_leaf, d.requires_grad, d.data_ptr() == x.data_ptr(), d._version == x._version)
with torch.no_grad():
    d[0] = 100.0
print(x, x._version, d._version)
c = x.clone().detach().requires_grad_(True)
c.data[0] = -1
print(x[0].item(), c[0].item())
u = x * 2
v = u.detach_()
print(v is u, u.grad_fn, u.requires_grad, u.is_leaf)
a = x[:2]
try:
    a.detach_()
except RuntimeError as e:
    print(e)
def bad_hook(g):
    return torch.ones(5)
h = x.register_hook(bad_hook)
try:
    (x ** 2).sum().backward()
except RuntimeError as e:
    print(e)
h.remove()
try:
    torch.ones(2).register_hook(print)
except RuntimeError as e:
    print(e)
z = (x * 3).requires_grad_()
w = z.data.clone()
print(z.is_leaf, w.requires_grad, z.detach().clone().is_leaf)
k = torch.ones(2, requires_grad=True)
l = k.detach().numpy()
l[0] = 7
print(k)
