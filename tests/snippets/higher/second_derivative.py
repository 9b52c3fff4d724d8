# Derivatives of sin up to the fourth
import torch

x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
y = torch.sin(x)
names = ["cos", "-sin", "-cos", "sin"]
for order in range(1, 5):
    y, = torch.autograd.grad(y, x, create_graph=True)
    print(order, names[order - 1].rjust(5), f"{y.item():.6f}", y.grad_fn.name())
