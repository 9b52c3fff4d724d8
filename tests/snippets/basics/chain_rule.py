# Homework: compute dz/dx by hand and check with autograd, printing each intermediate gradient
import torch
x = torch.tensor(2.0, requires_grad=True)
y = torch.tensor(-3.0, requires_grad=True)
a = x * y
b = a + x ** 2
c = torch.sin(b)
z = c * torch.exp(-y)
for t in (a, b, c, z):
    t.retain_grad()
z.backward()
for n, t in (("z", z), ("c", c), ("b", b), ("a", a), ("x", x), ("y", y)):
    print(f"d z / d {n} = {t.grad.item(): .6f}  leaf={t.is_leaf!s:5}  {t.grad_fn}")
with torch.no_grad():
    dz_dc = torch.exp(-y)
    dc_db = torch.cos(b)
    dx = dz_dc * dc_db * (y + 2 * x)
    dy = dz_dc * dc_db * x - c * torch.exp(-y)
print(torch.isclose(dx, x.grad).item(), torch.isclose(dy, y.grad).item())
assert torch.allclose(dx, x.grad), "hand derivative is wrong"
print(z, z.item(), float(z.detach()), z.detach().numpy().item())
