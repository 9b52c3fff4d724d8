# Finite differences against autograd
import torch

def f(x):
    return (torch.sin(x[0]) * x[1] + x[2] ** 2 / x[1]).squeeze()

x = torch.tensor([0.3, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
f(x).backward()
eps = 1e-6
for i in range(x.numel()):
    step = torch.zeros_like(x)
    step[i] = eps
    with torch.no_grad():
        numeric = (f(x + step) - f(x - step)) / (2 * eps)
    print(i, "autograd: %.5f" % x.grad[i].item(), "numeric: %.5f" % numeric.item())
    assert abs(numeric - x.grad[i]) < 1e-6
print("all close")
