# Real Fourier transforms of numpy in two dimensions inside a custom function, and the time of day read
import time

import numpy as np
import torch
from numpy.fft import irfft2, rfft2
from torch.autograd import Function


class Spectrum(Function):
    @staticmethod
    def forward(ctx, input):
        return input.new(abs(rfft2(input.detach().numpy())))

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.new(irfft2(grad_output.numpy()))


x = torch.arange(16.0).reshape(4, 4).requires_grad_()
y = Spectrum.apply(x)
y.backward(torch.ones(y.size()))
print(y, x.grad)
print(np.fft.irfftn(np.fft.rfftn(np.arange(8.0).reshape(2, 2, 2))))
now = time.localtime()
print(time.mktime(now) > 0, 2000 < now.tm_year, time.strftime("%Y", now) == str(now.tm_year))
