# What gradcheck raises, imported by its name, and a gradient for each entry of a batch that is not given
import torch
from torch.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a**2

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return 3 * a * g


x = torch.ones(2, dtype=torch.double, requires_grad=True)
for check in gradcheck, torch.autograd.gradcheck, gradgradcheck:
    try:
        print(check(Wrong.apply if check is not gradgradcheck else torch.sin, x))
    except GradcheckError as error:
        print(isinstance(error, RuntimeError), GradcheckError.__module__, GradcheckError.__name__)
        print(error)
try:
    torch.autograd.grad(x**2, x, is_grads_batched=True)
except RuntimeError as error:
    print(error)
