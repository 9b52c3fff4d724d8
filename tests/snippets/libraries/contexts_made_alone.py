# A context made to try forward out, and what stands on those of nodes
import torch
from torch.autograd.function import FunctionCtx


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, x, k=2.0):
        print(isinstance(ctx, FunctionCtx))
        ctx.save_for_backward(x)
        ctx.mark_non_differentiable()
        ctx.k = k
        return x * k

    @staticmethod
    def backward(ctx, g):
        print(isinstance(ctx, FunctionCtx), vars(ctx))
        return g * ctx.k, None


class Noted(FunctionCtx):
    def __init__(self):
        self.notes = []

    def save_for_backward(self, *tensors):
        self.notes.append(len(tensors))
        super().save_for_backward(*tensors)


x = torch.tensor([1.0, 2.0], requires_grad=True)
for ctx in FunctionCtx(), Noted():
    print(Scaled.forward(ctx, x), ctx.to_save, ctx.k, sorted(vars(ctx)))
    ctx.mark_dirty(x)
    ctx.set_materialize_grads(False)
    ctx.save_for_forward(x, None)
    print(ctx.dirty_tensors, ctx.non_differentiable, ctx.materialize_grads, ctx.saved_for_forward)
    try:
        ctx.save_for_forward(3)
    except Exception as error:
        print(type(error).__name__, error)
    try:
        print(ctx.needs_input_grad)
    except AttributeError as error:
        print(error)
print(Scaled.backward(ctx, torch.ones(2)))

y = Scaled.apply(x, 3.0)
print(y.grad_fn.__dict__, list(vars(y.grad_fn).items()))
y.grad_fn.note = "mine"
print(vars(y.grad_fn))
y.sum().backward()
print(x.grad, FunctionCtx, FunctionCtx.__mro__)
