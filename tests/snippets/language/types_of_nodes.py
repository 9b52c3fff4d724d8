# What the classes of nodes and of dual tensors are called, and where they are
import torch
import torch.autograd.forward_ad as fwad

x = torch.ones(2, requires_grad=True)
y = x * 2
print(type(y.grad_fn), type(y.grad_fn).__module__, type(y.grad_fn).__name__)
print(type(y.grad_fn.next_functions[0][0]), torch.autograd.graph.Node, torch.autograd.graph.Node.__module__)
print(isinstance(y.grad_fn, torch.autograd.graph.Node))


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        print(type(ctx), type(ctx).__module__)
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


z = Twice.apply(x)
print(type(z.grad_fn), type(z.grad_fn).__name__, torch.autograd.function.BackwardCFunction)
h = (x * 1).expand(3, 2)
h = h.clone()
h[0] = 1
print(type(h.grad_fn), [type(node) for node, _ in h.grad_fn.next_functions])
with fwad.dual_level():
    dual = fwad.unpack_dual(fwad.make_dual(torch.ones(1), torch.ones(1)))
    print(type(dual), type(dual).__module__)
