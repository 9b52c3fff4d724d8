# A custom Function with a saved result
import torch
from torch.autograd import Function

class Exp(Function):
    @staticmethod
    def forward(ctx, i):
        result = i.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        print("backward called with", grad_output)
        return grad_output * result

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = Exp.apply(x)
print(y, y.grad_fn.name())
y.sum().backward()
print(x.grad)
print(torch.autograd.gradcheck(Exp.apply, torch.tensor([0.3, -0.2], dtype=torch.float64, requires_grad=True)))
