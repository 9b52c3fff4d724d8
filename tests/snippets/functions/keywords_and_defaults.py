# apply with keywords and defaults, with and without setup_context
import torch

class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor, offset=None):
        ctx.save_for_backward(x, factor)
        print("needs:", ctx.needs_input_grad, "offset:", offset)
        return x * factor if offset is None else x * factor + offset

    @staticmethod
    def backward(ctx, g):
        x, factor = ctx.saved_tensors
        return g * factor, (g * x).sum(), g.sum() if len(ctx.needs_input_grad) == 3 else None

class Apart(torch.autograd.Function):
    @staticmethod
    def forward(x, power=2, *, rounded=False):
        return x ** power

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.power = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g * ctx.power * x ** (ctx.power - 1), None

def attempt(f):
    try:
        print(f())
    except TypeError as e:
        print("TypeError:", e)

x = torch.tensor([1.0, 2.0], requires_grad=True)
k = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
Scale.apply(x, k, b).sum().backward()
Scale.apply(x, factor=k).sum().backward(inputs=[k])
y = Scale.apply(offset=b, factor=k, x=x)
print(y.grad_fn.next_functions[2][0].variable is b)
y.sum().backward()
print(x.grad, k.grad, b.grad)
attempt(lambda: Scale.apply(x, n=k))
attempt(lambda: Scale.apply(x, k, factor=k))
attempt(lambda: Scale.apply(x, offset=b))
attempt(lambda: Scale.apply(x))
attempt(lambda: Apart.apply(x))
attempt(lambda: Apart.apply(x, power=3))
attempt(lambda: Apart.apply(power=3))
attempt(lambda: Apart.apply(x, rounded=True))
attempt(lambda: Apart.apply(x, 1, 2))
