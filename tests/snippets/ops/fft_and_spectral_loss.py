# FFT losses, convolution by FFT, gradients through rfft/irfft, phase, power spectra
import math
import torch
torch.manual_seed(0)
n = 16
t = torch.arange(n, dtype=torch.float64) / n
sig = torch.sin(2 * math.pi * 3 * t) + 0.5 * torch.cos(2 * math.pi * 5 * t)
x = torch.randn(n, dtype=torch.float64, requires_grad=True)
X = torch.fft.rfft(x)
print(X.dtype, X.shape, X.grad_fn)
S = torch.fft.rfft(sig)
loss = (X.abs() - S.abs()).pow(2).mean()
loss.backward()
print(loss, x.grad[:4])
x.grad = None
y = torch.fft.irfft(X.detach() * torch.exp(-1j * torch.zeros(9, dtype=torch.float64)), n=n)
print(torch.allclose(y, x))
k = torch.randn(5, dtype=torch.float64, requires_grad=True)
conv = torch.fft.irfft(torch.fft.rfft(x, n=20) * torch.fft.rfft(k, n=20), n=20)
direct = torch.nn.functional.conv1d(x.view(1, 1, -1), k.flip(0).view(1, 1, -1), padding=4).view(-1)
print(torch.allclose(conv, direct))
(conv ** 2).sum().backward()
gk = k.grad.clone()
k.grad = None
x.grad = None
(direct ** 2).sum().backward()
print(torch.allclose(gk, k.grad))
F2 = torch.fft.fft2(torch.eye(3, requires_grad=True))
print(F2.real.round(decimals=3), F2.grad_fn)
freqs = torch.fft.fftfreq(8, d=0.5)
print(freqs, torch.fft.fftshift(freqs), torch.fft.rfftfreq(8))
theta = torch.tensor(0.3, requires_grad=True)
z = torch.polar(torch.tensor(2.0), theta)
(z.real * 3 + z.imag).backward()
print(z, theta.grad)
c = torch.randn(4, dtype=torch.complex64, requires_grad=True)
m = torch.view_as_real(c).pow(2).sum()
g, = torch.autograd.grad(m, c)
print(torch.allclose(g, 2 * c), m.grad_fn)
for norm in ("backward", "ortho", "forward"):
    print(norm, torch.fft.fft(torch.ones(4), norm=norm).real)
a = torch.tensor([3 + 4j], requires_grad=True)
for fn in (torch.abs, torch.angle, lambda v: torch.log(v).real, lambda v: (v ** 2).imag, lambda v: v.conj().imag, lambda v: torch.sqrt(v).abs()):
    r = fn(a)
    print(r.item(), torch.autograd.grad(r.sum(), a)[0])
try:
    torch.fft.rfft(c)
except RuntimeError as e:
    print(e)
