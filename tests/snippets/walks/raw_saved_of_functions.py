# Hooks on single saved tensors: of custom Functions and of ops, twice, too late, and what is no hook
import torch


def tried(f):
    try:
        print(f())
    except (RuntimeError, TypeError, AttributeError) as e:
        print(type(e).__name__, e)


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        r = a.exp()
        ctx.save_for_backward(a, r, None)
        return r

    @staticmethod
    def backward(ctx, g):
        a, r, _ = ctx.saved_tensors
        return g * a * r


x = torch.zeros(2, requires_grad=True)
y = Exp.apply(x)
raw = y.grad_fn._raw_saved_tensors
print(len(raw), type(raw[0]).__name__)
raw[0].register_hooks(lambda t: t + 10, lambda t: t)
raw[1].register_hooks(lambda t: t * 2, lambda t: t)
tried(lambda: raw[1].register_hooks(lambda t: t, lambda t: t))
tried(lambda: raw[2].register_hooks(lambda t: t, lambda t: t))
print(y.grad_fn.saved_tensors)
y.sum().backward()
print(x.grad)
tried(lambda: y.grad_fn._raw_saved_tensors)

y = x * x
late = y.grad_fn._raw_saved_self
y.sum().backward()
tried(lambda: late.register_hooks(lambda t: t, lambda t: t))
