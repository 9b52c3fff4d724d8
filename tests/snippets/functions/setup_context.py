# forward without ctx, setup_context beside it
import torch

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(x, factor):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, factor = inputs
        ctx.factor = factor
        ctx.shape = output.shape

    @staticmethod
    def backward(ctx, grad_output):
        print("factor", ctx.factor, "shape", tuple(ctx.shape))
        return grad_output * ctx.factor, None

scale = Scale.apply
x = torch.ones(2, 2, requires_grad=True)
y = scale(x, 4)
y.sum().backward()
print(x.grad)
