# gradcheck finds a wrong backward
import torch
from torch.autograd import gradcheck, gradgradcheck

class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]

x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
print(gradcheck(lambda t: t.sin() * t, (x,), eps=1e-6, atol=1e-4))
print(gradgradcheck(torch.tanh, (x,)))
print(gradcheck(Wrong.apply, (x,), raise_exception=False))
