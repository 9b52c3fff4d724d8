# torch.func: grad, grad_and_value and nesting
import torch
from torch.func import grad, grad_and_value

def f(x):
    return torch.sin(x) * x

x = torch.tensor(1.2)
print(grad(f)(x))
print(torch.cos(x) * x + torch.sin(x))
print(grad(grad(f))(x))
g, value = grad_and_value(f)(x)
print(g, value)
print(grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(torch.ones(2), torch.tensor([2.0, 3.0])))
print(x.requires_grad, g.requires_grad)
