# Nodes of PyTorch's own take no attributes; those of custom Functions do
import torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.factor = 2
        return a * 2

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor


x = torch.ones(2, requires_grad=True)
total = (x * 2).sum().grad_fn
product = total.next_functions[0][0]
for node in total, product, product.next_functions[0][0]:
    for f in (lambda: node.foo), (lambda: setattr(node, "foo", 3)), (lambda: setattr(node, "name", 3)):
        try:
            print(f())
        except AttributeError as err:
            print(err)
    node.metadata["kept"] = 1
    print(node.metadata)
own = Twice.apply(x).grad_fn
own.factor, own.foo = 5, 3
print(own.factor, own.foo)
