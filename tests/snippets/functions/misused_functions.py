# What custom Functions are told that mark, save or return what they must not, and nodes that are given attributes
import torch


def shown(f):
    try:
        print(f())
    except (AttributeError, RuntimeError, TypeError) as err:
        print(type(err).__name__, err)


def made(forward, backward=lambda ctx, g: g):
    class Own(torch.autograd.Function):
        pass

    Own.forward, Own.backward = staticmethod(forward), staticmethod(backward)
    return Own


def dirty(ctx, a):
    ctx.mark_dirty(3)
    return a * 2


def without_gradient(ctx, a):
    ctx.mark_non_differentiable(3)
    return a * 2


def materialize(ctx, a):
    ctx.set_materialize_grads("a")
    return a * 2


def saves(ctx, a):
    ctx.save_for_backward(a, 3)
    print("saved")
    return a * 2


def scaled(ctx, a, n):
    return a * n


x = torch.ones(2, requires_grad=True)
for forward in dirty, without_gradient, materialize, saves:
    shown(lambda: made(forward).apply(x))
shown(lambda: made(saves).apply(x.detach()))
for backward in (
    lambda ctx, g: (g, 3),
    lambda ctx, g: (g, g),
    lambda ctx, g: (3, None),
    lambda ctx, g: (None, None),
    lambda ctx, g: ("a", "b"),
    lambda ctx, g: (g, None, None),
    lambda ctx, g: (g, None, g),
):
    shown(lambda: made(scaled, backward).apply(x, 2).sum().backward())
print(x.grad)
