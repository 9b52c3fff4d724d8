# Newton's method with an exact Hessian
import torch

def f(x):
    return (x[0] - 1) ** 4 + (x[1] + 2) ** 2 + x[0] * x[1]

x = torch.tensor([0.0, 0.0], dtype=torch.float64, requires_grad=True)
for k in range(5):
    value = f(x)
    g, = torch.autograd.grad(value, x)
    H = torch.autograd.functional.hessian(f, x)
    step = torch.linalg.solve(H, g)
    with torch.no_grad():
        x -= step
    print(f"{k}: f = {value.item():.6f}  |g| = {g.norm().item():.6f}")
print(x.detach().numpy().round(4))
