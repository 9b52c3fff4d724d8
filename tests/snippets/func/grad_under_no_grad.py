# What a transform computes under no_grad is a constant to all that is outside
import torch
from torch.func import grad, grad_and_value, jacrev, vjp


def slope(x):
    with torch.no_grad():
        return grad(lambda t: 0.25 * t**4)(x)


def mixed(x):
    return x**3 - slope(x)


x = torch.tensor(1.5)
print(grad(mixed)(x), grad(grad(mixed))(x))

y = torch.ones(2, requires_grad=True)
w = torch.tensor([3.0, 4.0])
print(grad(lambda t: (t * t * w).sum())(y))
with torch.set_grad_enabled(False):
    print(grad(lambda t: (t * t).sum())(y).requires_grad)
with torch.no_grad():
    print(vjp(lambda t: (t * t).sum(), y)[0])
    print(grad_and_value(lambda t: (t * t * w).sum())(y))
    print(grad(lambda t: ((t * t * w).sum(), w), has_aux=True)(y))


def frozen(t):
    with torch.no_grad():
        c = t**2
    return (t - c).sum()


print(grad(frozen)(torch.tensor([3.0, 1.0])))
z = torch.tensor(2.0, requires_grad=True)
out = grad(lambda t: t * slope(t))(z)
print(out, out.requires_grad)


@torch.no_grad()
def step(p):
    return p - 0.1 * grad(lambda p: (p**2 * w).sum())(p)


print(step(y), step(y).requires_grad)
out, pull = vjp(lambda t: t * t * w, y)
with torch.no_grad():
    print(pull(torch.ones(2)))
