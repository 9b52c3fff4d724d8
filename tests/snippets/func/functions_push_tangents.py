# A Function's own jvp makes the tangents of torch.func: whatever it says, and what is said where it is missing
import torch
from torch.func import hessian, jacfwd, jacrev, jvp, vmap


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, k):
        return x**3 * k

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, k = inputs
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        ctx.k = k

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g * ctx.k, None

    @staticmethod
    def jvp(ctx, t, _):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * t * ctx.k


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, str(error)[:110])


x = torch.tensor([1.0, 2.0, 3.0])
ones = torch.ones(3)


def f(y):
    return Cube.apply(y, 2).sqrt()


print(jvp(f, (x,), (ones,)))
print(jacfwd(f)(x).diagonal())
print(hessian(lambda y: f(y).sum())(x).diagonal())
print(jacrev(jacfwd(lambda y: f(y).sum()))(x).diagonal())
print(vmap(jacfwd(f))(torch.stack([x, x + 1])).diagonal(dim1=1, dim2=2))

w = torch.tensor(2.0, requires_grad=True)
tangent = jvp(lambda y: f(y * w), (x,), (ones,))[1]
print(torch.autograd.grad(tangent.sum(), w))


class Product(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, y):
        return x * y, x + y, x > 1

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_forward(*inputs)
        ctx.mark_non_differentiable(output[2])

    @staticmethod
    def jvp(ctx, a, b):
        x, y = ctx.saved_tensors
        return a * y + x * b, a + b, None


print(jvp(lambda a: Product.apply(a, x), (x,), (ones,)))
print(jacfwd(lambda a, b: Product.apply(a, b)[0], argnums=(0, 1))(x, x + 1))


class Five(Cube):
    @staticmethod
    def jvp(ctx, t, _):
        return 5 * t


class Twice(Cube):
    @staticmethod
    def jvp(ctx, t, _):
        return t, t


class Number(Cube):
    @staticmethod
    def jvp(ctx, t, _):
        return 3


class Smaller(Cube):
    @staticmethod
    def jvp(ctx, t, _):
        return t.sum()


class Short(Cube):
    @staticmethod
    def jvp(ctx, t):
        return t


for kind in Five, Twice, Number, Smaller, Short:
    attempt(lambda: jvp(lambda y: kind.apply(y, 1.0), (x,), (ones,)))
    attempt(lambda: jacfwd(lambda y: kind.apply(y, 1.0))(x).diagonal())


class Rounded(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x.round()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g


class Unmapped(Rounded):
    generate_vmap_rule = False


for kind in Rounded, Unmapped:
    attempt(lambda: jvp(kind.apply, (x,), (ones,)))
    attempt(lambda: jvp(lambda a: kind.apply(x) + a, (x,), (ones,)))
    attempt(lambda: jacfwd(kind.apply)(x))
    attempt(lambda: jacrev(kind.apply)(x).diagonal())
    attempt(lambda: hessian(lambda a: (kind.apply(a) ** 2).sum())(x))
    attempt(lambda: jacrev(jacrev(lambda a: (kind.apply(a) ** 2).sum()))(x).diagonal())
    attempt(lambda: vmap(lambda a: kind.apply(x).sum() + a)(x))
