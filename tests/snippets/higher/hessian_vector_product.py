# Hessian-vector product without the Hessian
import torch

def rosenbrock(x):
    return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()

x = torch.tensor([1.2, 0.8, 1.1], dtype=torch.float64, requires_grad=True)
v = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64)
grad, = torch.autograd.grad(rosenbrock(x), x, create_graph=True)
hv, = torch.autograd.grad(grad @ v, x)
print("grad", grad.detach())
print("Hv  ", hv)
H = torch.autograd.functional.hessian(rosenbrock, x.detach())
print("H@v ", H @ v)
print(torch.allclose(hv, H @ v))
