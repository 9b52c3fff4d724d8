"""What autograd.grad refuses: zeros for an edge, gradients that are no batch; and ctx.saved_variables."""
import warnings

import torch
from torch.autograd import Function
from torch.autograd.graph import GradientEdge

x = torch.ones(4, 5, requires_grad=True)
y = torch.ones(2, requires_grad=True).clone()
out = x * 2


def says(call):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, error)


edge = GradientEdge(y.grad_fn, y.output_nr)
says(lambda: torch.autograd.grad(out.sum(), (x, edge), allow_unused=True)[1])
says(lambda: torch.autograd.grad(out.sum(), (x, edge), allow_unused=True, materialize_grads=True))
for shape in ((2, 3), (2, 4, 4), (4, 5), (2,), ()):
    says(lambda: torch.autograd.grad(out, x, torch.ones(shape), is_grads_batched=True, retain_graph=True))
says(lambda: torch.autograd.grad(out, x, torch.ones(3, 4, 5), is_grads_batched=True)[0].shape)


class Old(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            (x,) = ctx.saved_variables
            print([str(warning.message) for warning in caught])
        return 2 * x * g


z = torch.tensor(3.0, requires_grad=True)
Old.apply(z).backward()
print(z.grad)


def delete():
    del z.requires_grad


says(delete)
