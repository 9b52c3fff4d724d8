# Returning an input unchanged, returning a view, returning a tuple with non-tensors
import torch

class Ident(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x
    @staticmethod
    def backward(ctx, g):
        return g * 10

class ViewAs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = x.shape
        return x.view(-1)
    @staticmethod
    def backward(ctx, g):
        return g.view(ctx.shape)

class Mixed(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, "label", 7, None
    @staticmethod
    def backward(ctx, g, *rest):
        print(rest)
        return g * 2

x = torch.ones(2, 2, requires_grad=True)
y = Ident.apply(x)
print(y is x, y.is_leaf, y._is_view(), y.grad_fn)
y.sum().backward()
print(x.grad)
z = ViewAs.apply(x)
print(z._is_view(), z.data_ptr() == x.data_ptr(), z.grad_fn)
m, label, seven, nothing = Mixed.apply(x)
print(m, label, seven, nothing)
(m.sum() + z.sum()).backward()
print(x.grad)
w = ViewAs.apply(x * 1)
try:
    w.add_(1)
    w.sum().backward()
    print(x.grad)
except RuntimeError as e:
    print(e)
