# Gradients of complex functions, from products to Fourier transforms
import torch

a = torch.tensor([1 + 2j, 3 - 1j, 0.5 + 0.25j])
b = torch.tensor([0.5 - 1j, 2 + 2j, -1 + 0.5j])
r = torch.tensor([1.5, -2.0, 0.5])
M = torch.tensor([[1 + 1j, 2 - 1j], [0.5j, 1 + 0j]])
cases = {
    "mul": (lambda x, y: x * y, a, b), "mul real": (lambda x, y: x * y, a, r), "div": (lambda x, y: x / y, a, b),
    "pow": (lambda x: x ** 2, a), "exp": (torch.exp, a), "tanh": (torch.tanh, a), "sqrt": (torch.sqrt, a),
    "angle": (torch.angle, a), "sgn": (torch.sgn, b), "polar": (torch.polar, r.abs(), r), "complex": (torch.complex, r, 2 * r),
    "mm": (lambda x: x @ x, M), "H": (lambda x: x.mH @ x, M), "vdot": (torch.vdot, a, b), "e^ix": (lambda x: torch.exp(1j * x), r),
    "prod": (lambda x: x.prod(), a), "cumsum": (lambda x: x.cumsum(0), a), "det": (torch.linalg.det, M),
    "fft": (torch.fft.fft, a), "rfft": (torch.fft.rfft, r), "irfft": (torch.fft.irfft, a), "norm": (lambda x: x.norm(), a),
}
for name, (f, *inputs) in cases.items():
    xs = [x.clone().requires_grad_() for x in inputs]
    y = f(*xs)
    loss = (y * y.conj()).real.sum() + (y * (1 - 2j)).real.sum()
    loss.backward()
    print(f"{name:8} {y.grad_fn.name():22}", *[[complex(round(g.real, 3), round(g.imag, 3)) + 0 for g in map(complex, x.grad.flatten().tolist())] for x in xs])
