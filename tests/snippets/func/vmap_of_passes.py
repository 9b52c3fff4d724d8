"""A Jacobian by mapping one backward pass over the rows of an identity matrix, and what passes inside may not do."""

import torch
from torch.func import grad, vmap


def attempt(function, *args):
    try:
        print(function(*args))
    except RuntimeError as error:
        print(str(error).split("(or")[0])


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
eye = torch.eye(3)

y = x**2
print(vmap(lambda v: torch.autograd.grad(y, x, v)[0])(eye))
attempt(torch.autograd.grad, y, x, torch.ones(3))  # the mapped pass has freed the graph

y = x.exp()
print(vmap(lambda v: torch.autograd.grad(y, x, v, retain_graph=True)[0])(eye))
print(torch.autograd.grad(y, x, torch.ones(3))[0])

y = x.sin()
attempt(vmap(lambda v: torch.autograd.grad(y, x, v)[0] + torch.autograd.grad(y, x, v)[0]), eye)

y = (x**3).sum()
(slope,) = torch.autograd.grad(y, x, create_graph=True)
print("Hessian", vmap(lambda v: torch.autograd.grad(slope, x, v)[0])(eye))

y = x**2
rows = vmap(vmap(lambda v: torch.autograd.grad(y, x, v)[0]))(eye.expand(2, 3, 3))
print(rows.shape, rows[1])


def left(v):
    y.backward(v)
    return v


def wrote(t):
    loss = (t * t).sum()
    loss.backward()
    return loss


y = x**2
attempt(vmap(left), eye)
attempt(grad(wrote), x)
attempt(vmap(lambda t: torch.autograd.grad((t**3).sum(), t)[0]), torch.ones(2, 3, requires_grad=True))
print(vmap(lambda t: torch.autograd.grad((x**3).sum(), x)[0] * t)(torch.ones(2, 3)))
print(x.grad)
