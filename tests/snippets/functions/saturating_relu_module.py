# A custom Function inside a module inside a training step, with a type check
import torch
import torch.nn as nn

class ClippedReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, ceiling):
        ctx.save_for_backward(x)
        ctx.ceiling = ceiling
        ctx.set_materialize_grads(False)
        return x.clamp(0, ceiling)

    @staticmethod
    def backward(ctx, grad):
        if grad is None:
            return None, None
        x, = ctx.saved_tensors
        mask = (x > 0) & (x < ctx.ceiling)
        return grad * mask, None

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 3)

    def forward(self, x):
        return ClippedReLU.apply(self.lin(x), 0.5)

torch.manual_seed(3)
net = Net()
x = torch.randn(4, 2)
out = net(x)
print(out)
out.sum().backward()
print(net.lin.bias.grad, out.grad_fn.next_functions[0][0].name())
print(isinstance(out.grad_fn, torch.autograd.graph.Node))
