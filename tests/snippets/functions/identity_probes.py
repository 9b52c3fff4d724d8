# Functions that only watch: values forwards, gradients backwards
import torch

class Probe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tag, x):
        ctx.tag = tag
        print(f"-> {tag}: {x.tolist()}")
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        print(f"<- {ctx.tag}: {g.tolist()}")
        return None, g

probe = lambda tag: (lambda x: Probe.apply(tag, x))
a, b = probe("a"), probe("b")
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = b(a(x) ** 2).sum() + a(x).sum()
y.backward()
print(x.grad)
