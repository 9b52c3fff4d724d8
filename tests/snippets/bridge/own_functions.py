# Functions of one's own
import torch
class Sq(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k=2):
        ctx.save_for_backward(x)
        ctx.k = k
        ctx._private = 3
        return x ** k
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        print('needs', ctx.needs_input_grad, ctx.k, ctx._private)
        return g * ctx.k * x ** (ctx.k - 1), None
x = torch.tensor([1., 2.], requires_grad=True)
y = Sq.apply(x, 3); print(y, type(y.grad_fn).__name__, y.grad_fn.name())
y.sum().backward(); print(x.grad)
f = Sq.apply; print(f(x, 2))
class Bad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): raise ValueError('in backward')
try: Bad.apply(x).sum().backward()
except ValueError as e: print('caught', e)
class Bad2(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return g, g
Bad2.apply(x).sum().backward()
