# Complex tensors: gradients point in the direction of the conjugate
import torch

z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
print(z.dtype, z.real, z.imag)
loss = (z * z.conj()).real.sum()
print(loss)
loss.backward()
print(z.grad)
z.grad = None
z.abs().sum().backward()
print(z.grad)
w = torch.complex(torch.tensor(0.0), torch.tensor(3.141592653589793))
print(torch.exp(w).real.item(), torch.angle(z).detach())
