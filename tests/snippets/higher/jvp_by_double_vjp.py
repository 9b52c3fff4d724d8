# Forward-mode products by two reverse passes, checked by finite differences and functional.jvp
import torch
torch.manual_seed(0)
def f(x):
    return torch.stack([x.sin().sum(), x.prod(), (x ** 2 * x.roll(1)).sum()])
x = torch.randn(3, dtype=torch.float64, requires_grad=True)
v = torch.randn(3, dtype=torch.float64)
y = f(x)
u = torch.zeros_like(y, requires_grad=True)
g, = torch.autograd.grad(y, x, u, create_graph=True)
jv, = torch.autograd.grad(g, u, v)
eps = 1e-6
fd = (f(x.detach() + eps * v) - f(x.detach() - eps * v)) / (2 * eps)
print(jv, torch.allclose(jv, fd), g.grad_fn is not None)
out, tangent = torch.autograd.functional.jvp(f, x.detach(), v)
print(torch.allclose(tangent, jv), out)
hv, = torch.autograd.grad((torch.autograd.grad(f(x)[2], x, create_graph=True)[0] @ v), x)
print(hv, torch.allclose(hv, torch.autograd.functional.hvp(lambda t: f(t)[2], x.detach(), v)[1]))
