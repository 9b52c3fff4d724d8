# Differentiate through a fixed point: unrolled and implicit
import torch

def g(z, a):
    return torch.cos(a * z)

a = torch.tensor(0.8, dtype=torch.float64, requires_grad=True)
z = torch.tensor(0.5, dtype=torch.float64)
for _ in range(60):
    z = g(z, a)
z.backward()
print(f"fixed point {z.item():.6f} unrolled gradient {a.grad.item():.6f}")
z0 = z.detach().requires_grad_()
gz, ga = torch.autograd.grad(g(z0, a), (z0, a))
print(f"implicit gradient {(ga / (1 - gz)).item():.6f}")
