# A node is called with the gradients of its results and gives those of its inputs; Functions with writes and views.
import torch
from torch.autograd import Function

a = torch.tensor([1.0, 2.0], requires_grad=True)
y = a**2
print(y.grad_fn(torch.ones(2)))
print((a * a).grad_fn(torch.tensor([2.0, 3.0])))
print(a.max(0).values.grad_fn(torch.tensor(1.0)))
with torch.no_grad():
    print(y.grad_fn(torch.ones(2)))
print(y.grad_fn(None))
for given in ((), (torch.ones(2), torch.ones(2)), ("a",), (torch.ones(5),)):
    try:
        print(y.grad_fn(*given))
    except (TypeError, RuntimeError) as e:
        print(type(e).__name__, e)
try:
    y.grad_fn(g=torch.ones(2))
except TypeError as e:
    print(e)
print((a + 1).grad_fn.next_functions[0][0](torch.ones(2)), a.grad)

grad = torch.ones(())
node = (a.sin() * 3).sum().grad_fn
while not hasattr(node, "variable"):
    grad = node(grad)
    grad = grad[0] if isinstance(grad, tuple) else grad
    print(node.name(), grad.detach())
    node = node.next_functions[0][0]

y.sum().backward()
try:
    y.grad_fn(torch.ones(2))
except RuntimeError as e:
    print(str(e)[:70])


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


try:
    Square.apply(a).grad_fn(torch.ones(2))
except TypeError as e:
    print(e)


class Second(Function):
    @staticmethod
    def forward(ctx, a, b):
        a.add_(b)
        ctx.mark_dirty(a)
        return a, a + b

    @staticmethod
    def backward(ctx, ga, gb):
        return ga + gb, ga + 2 * gb


print([t.detach() for t in Second.apply(a.clone(), a)])
try:
    Second.apply(a.clone().view_as(a), a)
except RuntimeError as e:
    print(e)


class Inside(Function):
    @staticmethod
    def forward(ctx, x):
        part = x.clone()[:1]
        part += 2
        return part

    @staticmethod
    def backward(ctx, g):
        return g


part = Inside.apply(a)
print(type(part.grad_fn).__name__, part.requires_grad)


class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        return g


plain = Same.apply(torch.ones(2))
try:
    plain += a
except RuntimeError as e:
    print(e)
