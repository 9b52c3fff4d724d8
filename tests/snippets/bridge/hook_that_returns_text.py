# TypeError: expected Variable, but hook returned 'str'
import torch
x = torch.tensor([1., 2.], requires_grad=True)
grads = {}
def save(name):
    def hook(g): grads[name] = g
    return hook
y = x * 2; y.register_hook(save('y')); y.register_hook(lambda g: g * 10)
h = x.register_hook(print)
z = y.sum(); z.backward(); print(grads, x.grad)
h.remove()
def bad(g): return 'str'
x.register_hook(bad)
(x * 2).sum().backward()
