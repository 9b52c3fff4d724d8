# Functions with setup_context
import torch


def b11():
    class F(torch.autograd.Function):
        @staticmethod
        def forward(x, n):
            return x * n
        @staticmethod
        def setup_context(ctx, inputs, output):
            x, n = inputs
            ctx.save_for_backward(x)
            ctx.n = n
        @staticmethod
        def backward(ctx, g):
            x, = ctx.saved_tensors
            return g * ctx.n, None
    x = torch.ones(2, requires_grad=True)
    F.apply(x, 3).sum().backward(); print(x.grad)
    class G(torch.autograd.Function):
        @staticmethod
        def forward(pair):
            return pair[0] * pair[1]
        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs[0])
        @staticmethod
        def backward(ctx, g):
            return None
    try: print(G.apply((x, x)))
    except Exception as e: print(type(e).__name__, e)

b11()
