# What a Function marked and saved is checked also when it gives no tensor; parts of numbers without a tangent
import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd import Function

x = torch.arange(3.0, requires_grad=True)


def made(prepare, give):
    class Made(Function):
        @staticmethod
        def forward(ctx, a):
            prepare(ctx, a)
            return give(a)

        @staticmethod
        def backward(ctx, g):
            return g

    return Made


for prepare in (
    lambda ctx, a: ctx.mark_dirty(a), lambda ctx, a: ctx.save_for_backward(1), lambda ctx, a: ctx.mark_dirty(1),
    lambda ctx, a: ctx.mark_non_differentiable(1), lambda ctx, a: ctx.save_for_backward(a),
):
    for give in (lambda a: 3, lambda a: None, lambda a: [a * 1], lambda a: a * 1):
        for given in (x * 1, x.detach()):
            try:
                print(made(prepare, give).apply(given))
            except (RuntimeError, TypeError) as e:
                print(type(e).__name__, e)

y = x * 2
with fwAD.dual_level():
    primal, tangent = fwAD.unpack_dual(y)
    print(primal, tangent, primal is y, primal._base is y, primal.grad_fn.next_functions[0][0])
    print(fwAD.unpack_dual(x.detach()))
print(fwAD.unpack_dual(y).primal is y)
