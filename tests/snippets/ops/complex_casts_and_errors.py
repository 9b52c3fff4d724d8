# Complex parameters: conj, abs, angle, real losses, Wirtinger convention
import torch
z = torch.tensor([1 + 2j, -0.5j, 3.0], requires_grad=True)
print(z, z.dtype, z.real, z.imag, z.conj(), z.abs(), z.angle())
(z.abs() ** 2).sum().backward(); print(z.grad); z.grad = None
(z * z.conj()).real.sum().backward(); print(z.grad); z.grad = None
torch.view_as_real(z).pow(2).sum().backward(); print(z.grad); z.grad = None
try: (z ** 2).sum().backward()
except RuntimeError as e: print(e)
(z ** 2).sum().backward(torch.tensor(1 + 0j)); print(z.grad)
w = torch.complex(torch.tensor([1.]), torch.tensor([2.])).requires_grad_()
torch.exp(w).imag.sum().backward(); print(w.grad)
a = torch.tensor([[1, 1j], [-1j, 2]], dtype=torch.complex128, requires_grad=True)
L = torch.linalg.eigvalsh(a); L[1].backward(); print(L, a.grad)
print(a.mH)
try: torch.tensor(1j) < torch.tensor(2j)
except RuntimeError as e: print(e)
try: z.float()
except Exception as e: print(e)
print(torch.tensor([1+1j]).to(torch.float32))
r = torch.tensor([3.], requires_grad=True); c = torch.polar(r, torch.tensor([0.5])); c.real.backward(); print(c, r.grad)
lr = 0.1
with torch.no_grad(): z -= lr * z.grad
print(z, 2 + 3j + torch.ones(1), torch.tensor(2.0) * 1j)
