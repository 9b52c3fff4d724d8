# Functions as ops of their own: torch.library.custom_op, and the backward that they register
import numpy as np
import torch
from torch import Tensor


@torch.library.custom_op("mylib::numpy_sin", mutates_args=())
def numpy_sin(x: Tensor) -> Tensor:
    return torch.from_numpy(np.sin(x.numpy(force=True)))


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, str(error)[:130])


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = numpy_sin(x)
print(y, type(y.grad_fn).__name__)
attempt(lambda: y.sum().backward())


def setup_context(ctx, inputs, output):
    (x,) = inputs
    print(type(ctx).__name__, ctx.needs_input_grad)
    ctx.save_for_backward(x)


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    print(ctx.needs_input_grad)
    return grad * x.cos()


numpy_sin.register_autograd(backward, setup_context=setup_context)


@numpy_sin.register_fake
def _(x):
    return torch.empty_like(x)


y = (numpy_sin(x) * 2).sum()
y.backward()
print(x.grad, numpy_sin, type(numpy_sin))
print(y.grad_fn.next_functions[0][0].next_functions[0][0].name())


@torch.library.custom_op("mylib::scaled_and_moved", mutates_args=())
def scaled_and_moved(x: Tensor, k: float = 2.0) -> tuple[Tensor, Tensor]:
    return x * k, x + k


def keep(ctx, inputs, output):
    ctx.k = inputs[1]


torch.library.register_autograd("mylib::scaled_and_moved", lambda ctx, g, h: (g * ctx.k + h, None), setup_context=keep)


a, b = scaled_and_moved(x)
print(a, b)
(a + b).sum().backward()
print(x.grad)


@torch.library.custom_op("mylib::sin_", mutates_args={"x"})
def sin_(x: Tensor) -> None:
    x.sin_()


z = torch.ones(2)
sin_(z)
print(z, z._version)
with torch.no_grad():
    print(numpy_sin(x).requires_grad, numpy_sin(x.detach()).grad_fn)


@torch.library.custom_op("mylib::same", mutates_args=())
def same(x: Tensor) -> Tensor:
    return x


@torch.library.custom_op("mylib::plus", mutates_args=())
def plus(x: Tensor, *, k: float = 1.0) -> Tensor:
    return x + k


print(plus(x.detach()), plus(x.detach(), k=3.0))
try:
    same(torch.ones(1))
except RuntimeError as error:
    print(str(error).split(" (with")[0], str(error).split(": ")[1][:60])
attempt(lambda: plus(3))
attempt(lambda: plus())
attempt(lambda: plus(x, 3.0))
attempt(lambda: plus(x, z=3.0))
attempt(lambda: plus(x, x, x))
attempt(lambda: sin_.register_autograd(backward))
plus.register_autograd(lambda ctx, g: (g, g))
attempt(lambda: plus(x).sum().backward())


def no_hint(x):
    return x


def no_result(x: Tensor):
    return x


for wrong in no_hint, no_result:
    attempt(lambda: torch.library.custom_op("mylib::wrong", wrong, mutates_args=()))
attempt(lambda: torch.library.register_fake("mylib::none", no_hint))
