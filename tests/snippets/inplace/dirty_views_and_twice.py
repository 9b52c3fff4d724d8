# Views that a Function marks dirty, and graphs with a write through a view, which run once even if it saved nothing
import torch
from torch.func import hessian, jacfwd


def tried(f):
    try:
        print(f())
    except RuntimeError as e:
        print(e)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


leaf = torch.ones(2, 2, requires_grad=True)
tried(lambda: Twice.apply(leaf[:1]))
y = leaf * 1
tried(lambda: Twice.apply(y.split(1)[0]))
tried(lambda: Twice.apply(y[1]))
print(leaf, y)
with torch.no_grad():
    tried(lambda: Twice.apply(leaf))

for write in (lambda t: t[0].add_(1), lambda t: t.view(-1).add_(1), lambda t: t.add_(1)):
    y = leaf * 1 + 0
    write(y)
    y.sum().backward()
    tried(lambda: y.sum().backward())
y = leaf * 1
y[0] = 5.0
a, b = y[:1] * 2, y[1:] * 2
a.sum().backward()
tried(lambda: b.sum().backward())

y = leaf * 1
part = y.split(1)[0]
y.add_(1)
tried(lambda: part.retain_grad())
tried(lambda: part.register_hook(print))
tried(lambda: part.grad)
del part
pair = [torch.ones(2), torch.ones(2, requires_grad=True)]
tried(lambda: torch._foreach_zero_(pair))
tried(lambda: torch._foreach_mul_(pair, 2))
print(pair)
print(torch.tensordot(torch.tensor(2.0), torch.ones(3), 0))
w = torch.arange(6.0).view(2, 3)
for h in (jacfwd(torch.sin)(w), hessian(lambda t: (t**3).sum())(w)):
    print(h.shape, h.stride())
    tried(lambda: h.view(6, 6))
