# What a ctx holds: attributes, dir, names, saved tensors after freeing
import torch

class Probe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.note = {"a": 1}
        ctx.save_for_backward(x, y)
        print(type(ctx).__name__, ctx.needs_input_grad)
        return x + y
    @staticmethod
    def backward(ctx, g):
        print(type(ctx).__name__, ctx.note, ctx.name(), len(ctx.next_functions))
        print([t.shape for t in ctx.saved_tensors])
        return g, g

x = torch.ones(3, requires_grad=True)
y = torch.ones(3)
out = Probe.apply(x, y)
node = out.grad_fn
print(node, node.name(), type(node).__name__, node.note)
print(node.next_functions)
print(isinstance(node, Probe), issubclass(Probe, torch.autograd.Function))
out.sum().backward()
try:
    node.saved_tensors
except RuntimeError as e:
    print(e)
try:
    out.sum().backward()
except RuntimeError as e:
    print(str(e).split(".")[0])
