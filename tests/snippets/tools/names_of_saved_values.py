# What dir() lists of a node, and what it saved where an input needs no gradient
import torch
from torch import nn


def saved(t):
    node = t.grad_fn
    print(node.name(), [name for name in dir(node) if "saved" in name])
    for name in dir(node):
        if name.startswith("_saved_"):
            value = getattr(node, name)
            print(" ", name, tuple(value.shape) if isinstance(value, torch.Tensor) else value)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * ctx.saved_tensors[0] * g


x, a = torch.ones(2, 3), torch.ones(2, 3, requires_grad=True)
for t in (
    nn.Linear(3, 4)(x), nn.Linear(3, 4)(a), nn.Linear(3, 4, bias=False)(x), a @ torch.ones(3, 2),
    torch.ones(4, 2) @ a, a.amax(1), a.amax(), a.amin((0, 1)), a.amin(-1), a * x, a.max(1)[0], a.sum(1), a.softmax(1),
):  # fmt: skip
    saved(t)
print([name for name in dir(Square.apply(a).grad_fn) if name.startswith("_saved")])
print((a * x).grad_fn._raw_saved_self, [name for name in dir((a * x).grad_fn) if not name.startswith("__")])
