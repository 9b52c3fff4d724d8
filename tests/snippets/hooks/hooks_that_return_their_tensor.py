# A hook after accumulation may return its own tensor, as in-place updates do
import torch

v = torch.tensor([0.0, 0.0, 0.0], requires_grad=True)
handle = v.register_post_accumulate_grad_hook(lambda p: p.add_(p.grad, alpha=-0.01))
v.backward(torch.tensor([1.0, 2.0, 3.0]))
print(v)
handle.remove()

for returned in (lambda p: p * 2, lambda p: 3, lambda p: (p,)):
    handle = v.register_post_accumulate_grad_hook(returned)
    try:
        v.backward(torch.ones(3))
    except (RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
    handle.remove()

several = torch.autograd.graph.register_multi_grad_hook((v, v * 2), print)
print(type(several).__module__, type(several).__name__)
