# Convolution through the Fourier transform
import torch
import torch.nn.functional as F

signal = torch.tensor([1.0, 2.0, 0.0, -1.0, 0.5, 0.0, 0.0, 0.0], requires_grad=True)
kernel = torch.tensor([0.5, 0.25, 0.25], requires_grad=True)
padded = F.pad(kernel, (0, 5))
by_fft = torch.fft.irfft(torch.fft.rfft(signal) * torch.fft.rfft(padded), n=8)
by_conv = F.conv1d(F.pad(signal, (2, 0)).view(1, 1, -1), kernel.flip(0).view(1, 1, -1)).view(-1)
print(by_conv.detach())
print(torch.allclose(by_fft, by_conv, atol=1e-6))
by_fft.pow(2).sum().backward()
g = kernel.grad.clone()
kernel.grad = None
by_conv.pow(2).sum().backward()
print(g, torch.allclose(g, kernel.grad, atol=1e-5), signal.grad.shape)
