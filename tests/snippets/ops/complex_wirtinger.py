# Complex parameters: gradients are conjugate Wirtinger derivatives
import torch
import cmath

z = torch.tensor([1 + 2j, -0.5 + 0.25j], requires_grad=True)
print(z, z.dtype, z.is_complex())
L = (z * z.conj()).real.sum()
L.backward()
print(z.grad, L, L.grad_fn)
z.grad = None
w = torch.tensor(0.3 - 0.7j, requires_grad=True)
f = torch.exp(1j * w) * w.abs()
print(f, cmath.exp(1j * (0.3 - 0.7j)) * abs(0.3 - 0.7j))
try:
    f.backward()
except RuntimeError as e:
    print(e)
f.abs().backward()
print(w.grad)
a = torch.randn(4, dtype=torch.cfloat, generator=torch.Generator().manual_seed(0)).requires_grad_()
F = torch.fft.fft(a)
P = F.abs().pow(2)
P.sum().backward()
print(torch.allclose(a.grad, 8 * a.detach(), atol=1e-5))
lr = 0.1
t = torch.tensor([0.0 + 0j], requires_grad=True)
target = torch.tensor([1 - 1j])
for i in range(3):
    loss = (t - target).abs().square().sum()
    (g,) = torch.autograd.grad(loss, t)
    with torch.no_grad():
        t -= lr * g
    print(i, loss.item(), t)
r = torch.view_as_real(z)
print(r, r.requires_grad, r.grad_fn)
c = torch.complex(torch.ones(2, requires_grad=True), torch.zeros(2))
print(c, c.grad_fn, torch.polar(torch.tensor([1.0]), torch.tensor([cmath.pi / 2])).round(decimals=4))
print(z.real.grad_fn, z.imag.grad_fn, z.angle())
try:
    torch.tensor([1.0 + 1j]) > 0
except RuntimeError as e:
    print(e)
