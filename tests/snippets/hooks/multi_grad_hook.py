# One hook for several tensors
import torch

a = torch.rand(2, 3, requires_grad=True, generator=torch.manual_seed(0))
b = torch.rand(2, 3, requires_grad=True)
c = a * b
d = a * b

def fn(grads):
    print([g is not None for g in grads])

handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), fn)
c.sum().backward(retain_graph=True)
c.sum().backward(inputs=(a,), retain_graph=True)
handle.remove()

def first(grad):
    print("any:", tuple(grad.shape))

torch.autograd.graph.register_multi_grad_hook((c, d), first, mode="any")
(c + d).sum().backward()
print(a.grad.shape)
