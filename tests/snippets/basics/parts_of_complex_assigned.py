# Assigning the real and the imaginary parts of tensors, and types of tensors by name
import torch
z = torch.tensor([1 + 2j, 3 - 1j])
z.real = torch.tensor([5., 6.]); print(z)
z.imag = 0; print(z)
z.imag[0] = 4; print(z, z._version)
y = torch.ones(2); y.real = torch.zeros(2); print(y)
w = torch.tensor([1 + 1j, 2 + 2j], requires_grad=True)
v = w * 2; v.real = torch.tensor(3.); v.abs().sum().backward(); print(v, w.grad)
for use in (lambda: setattr(y, 'imag', 1.), lambda: setattr(z, 'real', torch.ones(3)), lambda: setattr(z, 'real', [1., 2.]),
            lambda: setattr(w, 'real', 1.), lambda: y.type('long'), lambda: y.type('torch.float32'), lambda: y.type(int),
            lambda: y.type(5), lambda: torch.ones(2, 2, names=('a', 'b'))):
    try: use()
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0])
print(y.type('torch.DoubleTensor'), y.type(torch.LongTensor), y.type('torch.FloatTensor') is y, y.type())
