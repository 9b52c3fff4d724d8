# Partial derivatives of a function of two variables
import torch

x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(-3.0, requires_grad=True)
z = x ** 2 * y + torch.exp(x * y) + y / x
print("z =", z)
z.backward()
print("dz/dx =", x.grad)
print("dz/dy =", y.grad)
dzdx = 2 * x * y + y * torch.exp(x * y) - y / x ** 2
dzdy = x ** 2 + x * torch.exp(x * y) + 1 / x
print("by hand:", dzdx.detach(), dzdy.detach())
print(torch.isclose(x.grad, dzdx), torch.isclose(y.grad, dzdy).item())
