# What `jvp` of a Function may return: as many tangents as results, views for views, a write for a write.
import torch
import torch.autograd.forward_ad as fwAD
from torch.autograd import Function


def attempt(label, forward, jvp, *others):
    class Probe(Function):
        pass

    Probe.forward, Probe.jvp = staticmethod(forward), staticmethod(jvp)
    with fwAD.dual_level():
        x = fwAD.make_dual(torch.ones(3), torch.ones(3))
        try:
            results = Probe.apply(x, *others)
            results = results if isinstance(results, tuple) else (results,)
            print(label, [fwAD.unpack_dual(r).tangent for r in results])
        except (RuntimeError, NotImplementedError, ValueError, AssertionError) as e:
            print(label, type(e).__name__, e)


def dirty(ctx, x):
    x.mul_(2)
    ctx.mark_dirty(x)
    return x


def marked(ctx, x):
    out = x * 2
    ctx.mark_non_differentiable(out)
    return out, x * 3


def kept(ctx, x, y):
    ctx.save_for_forward(x, y)
    return x * y


def kept_for_backward(ctx, x, y):
    ctx.save_for_backward(x, y)
    return x * y


def product(ctx, gx, gy):
    x, y = ctx.saved_tensors
    return gx * y + x * gy


def unmaterialized(ctx, x, y):
    ctx.set_materialize_grads(False)
    return x * y


attempt("view of a view", lambda ctx, x: x.view_as(x), lambda ctx, g: g.view_as(g))
attempt("no view", lambda ctx, x: x.view_as(x), lambda ctx, g: g.clone())
attempt("another view", lambda ctx, x: x[:2], lambda ctx, g: g.clone()[:2])
attempt("as it is", lambda ctx, x: x, lambda ctx, g: g)
attempt("written", dirty, lambda ctx, g: g.mul_(2))
attempt("not written", dirty, lambda ctx, g: g * 2)
attempt("untouched", dirty, lambda ctx, g: g)
attempt("shape", lambda ctx, x: x * 2, lambda ctx, g: g[:1])
attempt("too many", lambda ctx, x: x * 2, lambda ctx, g: (g, g))
attempt("too few", lambda ctx, x: (x * 2, x * 3), lambda ctx, g: (g,))
attempt("a number", lambda ctx, x: x * 2, lambda ctx, g: 3)
attempt("marked", marked, lambda ctx, g: (g, g))
attempt("marked, None", marked, lambda ctx, g: (None, g))
attempt("a whole number", lambda ctx, x: (x * 2, torch.tensor(1)), lambda ctx, g: (g, None))
attempt("saved", kept, product, torch.full((3,), 2.0))
attempt("saved for backward", kept_for_backward, product, torch.full((3,), 2.0))
attempt("no zeros", unmaterialized, lambda ctx, gx, gy: gx * 5 if gy is None else gy, torch.ones(3))
attempt("no tensor", lambda ctx, x, k: x * k, lambda ctx, gx, gk: gx * (2 if gk is None else 5), 2.0)
attempt("save_for_forward(3)", lambda ctx, x: (ctx.save_for_forward(x, 3), x * 2)[1], lambda ctx, g: g)


class Cube(Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_forward(x)
        ctx.save_for_backward(x)
        ctx.factor = factor
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g, None

    @staticmethod
    def jvp(ctx, g, _):
        (x,) = ctx.saved_tensors
        return ctx.factor * x**2 * g


point = torch.tensor([1.0, 2.0], dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(Cube.apply, (point, 3), check_forward_ad=True))
try:
    torch.autograd.gradcheck(Cube.apply, (point, 2), check_forward_ad=True)
except RuntimeError as e:
    print(str(e).splitlines()[0])
print(torch.autograd.gradcheck(Cube.apply, (point, 3), check_forward_ad=True, check_backward_ad=False))
